// Hundreds of bad inputs for every route of v1: none is answered 500, and every refusal has the form of v1 and a status
// that the route declares.
import { Agent } from 'node:http';
import { errorCatalogue, errorsOf, metadataOf, v1Contract } from '@foyer/contract';
import { isAppRoute } from '@ts-rest/core';
import { afterAll, describe, expect, test } from 'vitest';
import { badInput, type Came, judged } from './bad-input.js';
import { chanceOf } from './bad-values.js';
import type { ContractRoute } from './contract-routes.js';
import { type TestUser, testService } from './harness.js';
import { seed } from './seed.js';
import { shared } from './shared.js';
import { inFull } from './thorough.js';
import { expectV1Refusal, v1Scenario } from './v1-scenario.js';

const inputsPerRoute = inFull(500, 10);
const atOnce = 10;

const routes: ContractRoute[] = Object.entries(v1Contract.accounts).flatMap(([id, route]) =>
  isAppRoute(route) ? [{ id, route }] : [],
);

const service = shared(() => testService());
const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
afterAll(() => agent.destroy());

const v1 = v1Scenario(() => service);
let held: { user: TestUser; token: string } | undefined;

/** A user and a valid token; new ones after these are gone or the password has changed. */
async function holder() {
  if (held && (await v1.me(held.token)).status !== 200) held = undefined;
  if (!held) {
    const user = await service.signUp();
    held = { user, token: await v1.logIn(user) };
  }
  return held;
}

describe(`with the seed ${seed}`, () => {
  test.each(routes.map((each, place) => [each.id, each, place] as const))(
    `%s answers ${inputsPerRoute} bad inputs in the form of v1, and never with 500`,
    async (_, each, place) => {
      const chance = chanceOf(seed + place);
      const signedIn = metadataOf(each.route).auth === 'signed-in';
      const statuses = new Set<number>();
      for (let done = 0; done < inputsPerRoute; done += atOnce) {
        const { user, token } = await holder();
        const inputs = Array.from({ length: atOnce }, () => {
          const { email, password } = user;
          const values = {
            first_name: 'Ada',
            last_name: 'Lovelace',
            email: chance.oneIn(3) ? email : `user-${chance.number(1e9)}@example.com`,
            password,
            password_confirmation: password,
            code: String(chance.number(10 ** 6)).padStart(6, '0'),
          };
          const appKey = service.app.app.appKey;
          const bearer = signedIn ? token : null;
          return badInput(chance, each.route, { prefix: '/api/v1', appKey, bearer, params: {}, values });
        });
        await Promise.all(
          inputs.map(async (input) => {
            const to = { port: service.listening.port, agent };
            const { status } = await judged(to, input, (came) => judge(each, came));
            if (input.known) statuses.add(status);
          }),
        );
      }
      // Past the guard too: bodies were validated, and calls without one succeeded.
      expect([...statuses]).toContain(signedIn ? 200 : 422);
    },
  );
});

function judge({ route }: ContractRoute, came: Came): void {
  expect(came.status).toBeLessThan(500);
  if (came.status < 300) {
    expect(JSON.parse(came.text)).toMatchObject({ success: true, app: service.app.app.slug });
    return;
  }
  expectV1Refusal(came, came.status);
  expect(errorsOf(route).map((code) => errorCatalogue[code].status)).toContain(came.status);
}
