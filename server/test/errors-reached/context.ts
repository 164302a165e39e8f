// What the requests of each area use, and the type of a request.
import type { ErrorCode } from '@foyer/contract';
import { codeScenario } from '../code-scenario.js';
import { callRoute, routeOf, type Sent } from '../contract-routes.js';
import type { Answer, TestServiceOptions, TestUser } from '../harness.js';
import type { ProviderScenario } from '../provider-scenario.js';
import type { RawAnswer } from '../raw-http.js';
import { type TeamScenario, teamScenario } from '../team-scenario.js';

export type Reached = {
  /** The route that answers, if any. */
  route?: string;
  ask(): Promise<Answer | RawAnswer>;
};

/** A code that is no answer: it reaches the app in the redirect to it. */
export type Redirected = { route: string; redirected(): Promise<string | null> };

/** One request for every code of an area: `auth` has those that begin with `auth/`. */
export type ReachedOf<Area extends string> = Record<
  Extract<ErrorCode, `${Area}/${string}`>,
  Reached | Redirected
>;

export type Context = ReturnType<typeof contextOf>;

type On = {
  /** The time by which the clock is advanced during the request. */
  after?: number;
  /** Asks a second instance with these options. */
  instance?: TestServiceOptions;
};

export function contextOf(providers: ProviderScenario, user: TestUser) {
  const { service } = providers;
  let started: Promise<TeamScenario> | undefined;
  const team = () => {
    started ??= teamScenario(() => service);
    return started;
  };
  const send = (id: string, sent: Sent, to = service) => callRoute(to, routeOf(id), sent);

  /** A request to a route, which may need calls before. */
  function on(
    route: string,
    prepare: Sent | (() => Promise<Sent>),
    { after = 0, instance }: On = {},
  ): Reached {
    async function ask() {
      const sent = typeof prepare === 'function' ? await prepare() : prepare;
      const asked = instance ? await service.secondInstance(instance) : service;
      service.clock.advance(after);
      const answer = await send(route, sent, asked);
      service.clock.advance(-after);
      if (instance) await asked.stop();
      return answer;
    }
    return { route, ask };
  }

  return {
    providers,
    service,
    user,
    scenario: codeScenario(() => service),
    asUser: { token: user.tokens.access_token },
    asBackend: { token: service.app.secretKey },
    /** An owner of the service, who has just signed in. */
    asOwner: async () => ({ token: await (await team()).ownerToken() }),
    send,
    on,
    team,
    /** Must be called by a request that removes the members of the team. */
    endTeam() {
      started = undefined;
    },
  };
}
