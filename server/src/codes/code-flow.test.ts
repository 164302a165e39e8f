// `X-Code-Flow`: third parties who know an email neither replace nor use up the owner's code.
import { limits } from '@foyer/contract';
import { beforeEach, describe, expect, test } from 'vitest';
import { type CodeDoor, codeDoors, works } from '../../test/code-doors.js';
import {
  codeScenario,
  expiredCode,
  flowOf,
  invalidCode,
  newEmail,
  wrongCode,
} from '../../test/code-scenario.js';
import { testService } from '../../test/harness.js';
import { from, newAddress, times } from '../../test/limited-service.js';
import { expectRefusal } from '../../test/refusal.js';
import { shared } from '../../test/shared.js';
import { v1Scenario } from '../../test/v1-scenario.js';
import { sha256 } from '../lib/crypto/digest.js';
import { hashOfFlow } from './code-hash.js';
import { newFlow } from './send-code.js';
import { insertCode } from './store.js';

const service = shared(() => testService({ rateLimits: true, config: { trustProxy: 1 } }));
// Earlier rate limit windows have ended.
beforeEach(() => service.clock.advance(day));

const minute = 60_000;
const day = 24 * 60 * minute;
const tenMinutes = 10 * minute;
const scenario = codeScenario(() => service);
const v1 = v1Scenario(() => service);

const doors = codeDoors(service).filter(([name]) => name !== 'sign-in to an account');
const rows = ({ purpose, subject }: CodeDoor) =>
  service.database.prisma.code.findMany({ where: { purpose, subject }, orderBy: { id: 'asc' } });
const stranger = () => from(newAddress());
const madeUpFlow = () => ({ headers: { 'x-code-flow': newFlow(service.deps) } });

describe.each(doors)('the code for %s', (_name, ready) => {
  test('works after five guesses without its flow, which lock out every other client, unless one user guesses', async () => {
    const door = await ready();
    const isOfUser = door.purpose === 'verification' || door.purpose === 'email_change';
    const { code, flow } = await door.send();
    await times(5, async () =>
      expectRefusal(await door.use(wrongCode(code), stranger()), 'auth/invalid-code'),
    );
    expect(await door.use(code, stranger())).toMatchObject(invalidCode);
    const answer = await door.use(code, flow);
    if (isOfUser) expect(answer).toMatchObject(invalidCode);
    else expect(answer).toSatisfy(works);
  });

  test('works after a later send, and invalidates the later code when used', async () => {
    const door = await ready();
    const { code, flow } = await door.send();
    const later = await door.send(stranger());
    if (later.code !== code) expect(await door.use(code, stranger())).toMatchObject(invalidCode);
    expect(await door.use(code, flow)).toSatisfy(works);
    expect(await door.use(code, flow)).toMatchObject(invalidCode);
    expect(await door.use(later.code, later.flow)).toMatchObject(invalidCode);
    expect(await rows(door)).toEqual([]);
  });

  test('is invalid after five wrong guesses with its flow, also without a flow', async () => {
    const door = await ready();
    const { code, flow } = await door.send();
    await times(4, async () => expectRefusal(await door.use(wrongCode(code), flow), 'auth/invalid-code'));
    expect(await rows(door)).toMatchObject([{ guesses: 4, flowGuesses: 4 }]);
    expectRefusal(await door.use(wrongCode(code), flow), 'auth/invalid-code');
    expect(await door.use(code, flow)).toMatchObject(invalidCode);
    expect(await door.use(code)).toMatchObject(invalidCode);
  });

  test('is checked as without a flow if the flow is that of another code or was never issued', async () => {
    const door = await ready();
    const { code } = await door.send();
    const other = await (await ready()).send(stranger());
    for (const flow of [other.flow, madeUpFlow()]) {
      expect(await door.use(wrongCode(code), flow)).toMatchObject(invalidCode);
    }
    expect(await rows(door)).toMatchObject([{ guesses: 2, flowGuesses: 0 }]);
    expect(await door.use(code, madeUpFlow())).toSatisfy(works);
  });

  test('is refused with a malformed flow, which does not count as a guess', async () => {
    const door = await ready();
    const { code } = await door.send();
    const wellFormed = 'fl_AAAAAAAAAAAAAAAAAAAAAA';
    for (const value of ['', 'fl_', 'fl_short', `fl_${'x'.repeat(22)}`, `${wellFormed} ${wellFormed}`]) {
      expectRefusal(
        await door.use(code, { headers: { 'x-code-flow': value } }),
        'request/validation-failed',
        {
          'X-Code-Flow': ['must be an X-Code-Flow of an earlier response'],
        },
      );
    }
    expect(await rows(door)).toMatchObject([{ guesses: 0, flowGuesses: 0 }]);
  });
});

test('a code expires ten minutes after its own send, regardless of later sends', async () => {
  const [[, ready]] = doors as [(typeof doors)[0]];
  const door = await ready();
  const { code, flow } = await door.send();
  service.clock.advance(4 * minute);
  await door.send(stranger());
  service.clock.advance(6 * minute + 1);
  expect(await door.use(code, flow)).toMatchObject(expiredCode);
});

test('only a hash of the flow is stored', async () => {
  const email = newEmail();
  const { headers } = flowOf(await scenario.send(email, from(newAddress())));
  const row = await scenario.codeRow('sign_in', email);
  expect(row?.flowHash).toEqual(new Uint8Array(sha256(headers['x-code-flow'] as string)));
});

test('a send that mails nothing answers a flow too, with which the code mailed before works', async () => {
  const email = newEmail();
  const address = from(newAddress());
  await scenario.send(email, address);
  const over = await scenario.send(email, address);
  expect(over.headers.get('x-code-flow')).toMatch(limits.codeFlowPattern);
  const code = await scenario.codeOf(email, 'sign_in');
  expect(await scenario.verify(email, code, flowOf(over))).toSatisfy(works);
});

test('guesses with made-up flows are limited like guesses without one', async () => {
  const email = newEmail();
  const { headers } = from(newAddress());
  const guess = () => scenario.verify(email, '000000', { headers: { ...headers, ...madeUpFlow().headers } });
  await times(limits.rateLimits['code-failures-email-ip'].limit, async () =>
    expectRefusal(await guess(), 'auth/invalid-code'),
  );
  expectRefusal(await guess(), 'request/rate-limited');
});

test('exactly five of twenty parallel guesses with a flow are checked', async () => {
  const email = newEmail();
  const sent = await scenario.send(email, from(newAddress()));
  const wrong = wrongCode(await scenario.codeOf(email, 'sign_in'));
  await Promise.all(
    Array.from({ length: 20 }, () =>
      scenario.verify(email, wrong, { headers: { ...flowOf(sent).headers, ...from(newAddress()).headers } }),
    ),
  );
  expect(await scenario.codeRow('sign_in', email)).toMatchObject({ guesses: 5, flowGuesses: 5 });
});

test('exactly one of two codes used concurrently works', async () => {
  const email = newEmail();
  const uses = [];
  for (let sends = 0; sends < 2; sends += 1) {
    const sent = await scenario.send(email, from(newAddress()));
    uses.push({ code: await scenario.codeOf(email, 'sign_in'), flow: flowOf(sent) });
  }
  const answers = await Promise.all(uses.map(({ code, flow }) => scenario.verify(email, code, flow)));
  expect(answers.filter(works)).toHaveLength(1);
  const { prisma } = service.database;
  const { id: uid } = await prisma.user.findFirstOrThrow({ where: { email } });
  expect(await prisma.session.count({ where: { uid } })).toBe(1);
});

test('wrong guesses without a flow that reach the limit of the email leave the code with a flow valid', async () => {
  const email = newEmail();
  const sent = await scenario.send(email, from(newAddress()));
  const code = await scenario.codeOf(email, 'sign_in');
  await times(51, () => scenario.verify(email, wrongCode(code), stranger()));
  expectRefusal(await scenario.verify(email, code, stranger()), 'request/rate-limited');
  expect((await scenario.verify(email, code, flowOf(sent))).status).toBe(200);
});

describe('the codes of a subject', () => {
  const insert = (subject: string, now: Date) => {
    const { keyRing, random, prisma } = service.deps;
    const key = { appId: service.app.app.id, purpose: 'sign_in', subject } as const;
    const flowHash = hashOfFlow(newFlow(service.deps));
    const sent = { flowHash, flowOnly: false, byKnown: false };
    const code = { ...sent, keyId: keyRing.currentKeyId, codeHash: Buffer.alloc(32) };
    return insertCode(prisma, key, { ...code, id: random.ulid(now), email: subject, now });
  };

  test('are limited: at the maximum of live codes no more are mailed, and all of them remain valid', async () => {
    const email = newEmail();
    const sent = await scenario.send(email, from(newAddress()));
    const code = await scenario.codeOf(email, 'sign_in');
    for (let codes = 1; codes < limits.liveCodes; codes += 1) {
      expect(await insert(email, service.clock.now())).toBe(true);
    }
    expect(await insert(email, service.clock.now())).toBe(false);
    expect((await scenario.send(email, stranger())).status).toBe(200);
    expect(await scenario.mailed(email)).toHaveLength(1);
    expect((await scenario.verify(email, code, flowOf(sent))).status).toBe(200);
  });

  test('that have expired are replaced by new ones', async () => {
    const email = newEmail();
    for (let codes = 0; codes < limits.liveCodes; codes += 1) await insert(email, service.clock.now());
    service.clock.advance(tenMinutes + 1);
    for (let codes = 0; codes < 3; codes += 1) {
      expect(await insert(email, service.clock.now())).toBe(true);
    }
    expect(await service.database.prisma.code.count({ where: { subject: email } })).toBe(limits.liveCodes);
  });
});

test('a request with the flow of an earlier one continues it: the newest of its codes is checked', async () => {
  const email = newEmail();
  const sent = await scenario.send(email, from(newAddress()));
  const first = await scenario.codeOf(email, 'sign_in');
  const again = await scenario.send(email, {
    headers: { ...flowOf(sent).headers, ...from(newAddress()).headers },
  });
  expect(flowOf(again)).toEqual(flowOf(sent));
  const code = await scenario.codeOf(email, 'sign_in');
  if (code !== first) expect(await scenario.verify(email, first, flowOf(sent))).toMatchObject(invalidCode);
  expect(await scenario.verify(email, code, flowOf(sent))).toSatisfy(works);
});

describe('a code mailed beyond the total of the day', () => {
  const doorsOfEmails = doors.filter(([name]) => name.startsWith('sign-in') || name === 'password reset');

  test.each(doorsOfEmails)(
    'for %s works with its own flow only, and other guesses do not use it up',
    async (_name, ready) => {
      const door = await ready();
      const earlier = await door.send(stranger());
      await times(limits.rateLimits['code-send-email'].limit - 1, () => door.send(stranger()));
      service.clock.advance(tenMinutes + 1);
      const { code, flow } = await door.send();
      expect((await rows(door)).at(-1)).toMatchObject({ flowOnly: true });
      // The newest code that needs no flow has expired.
      await times(4, async () => expect(await door.use(code, stranger())).toMatchObject(expiredCode));
      expect(await door.use(code, earlier.flow)).toMatchObject(expiredCode);
      // It asks again, and nothing is mailed.
      expect((await door.send(flow)).flow).toEqual(flow);
      expect(await door.use(code, flow)).toSatisfy(works);
    },
  );

  test('for a password reset of v1 works, which has no flows', async () => {
    const { email } = await service.signUp();
    await times(limits.rateLimits['code-send-email'].limit, () => scenario.forgot(email, stranger()));
    service.clock.advance(tenMinutes + 1);
    const call = (path: string, body: object) => v1.call('POST', path, { body: { email, ...body } });
    await call('/password/forgot', {});
    const code = await scenario.codeOf(email, 'reset');
    const rows = await service.database.prisma.code.findMany({
      where: { subject: email },
      orderBy: { id: 'asc' },
    });
    expect(rows.at(-1)).toMatchObject({ purpose: 'reset', flowOnly: false });
    const password = 'a new password';
    const answer = await call('/password/reset', { code, password, password_confirmation: password });
    expect(answer.status).toBe(200);
  });
});
