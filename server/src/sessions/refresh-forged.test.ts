// Refresh tokens the service never issued: tampered, misdirected, forged. They change and cost nothing.
import { describe, expect, test } from 'vitest';
import { keyRing } from '../../engines/keys/key-ring.js';
import { statementLog, testService } from '../../test/harness.js';
import { invalid, sessionScenario } from '../../test/session-scenario.js';
import { shared } from '../../test/shared.js';
import { encodeRefreshToken, parseRefreshToken, type RefreshToken } from './refresh-token.js';

const statements = statementLog();
const service = shared(() => testService({ onStatement: statements.onStatement }));

const { rowOf, spend, start } = sessionScenario(() => service);

/** Sends a token and expects no query. */
async function refusedUnasked(token: string, appKey?: string) {
  const sent = await statements.during(async () => {
    expect(await service.refresh(token, appKey), token).toMatchObject(invalid);
  });
  expect(sent).toEqual([]);
}

describe('a tampered token', () => {
  // The test of parseRefreshToken changes every bit and cuts at every place.
  test('is invalid, costs no query and changes nothing', async () => {
    const { sid, first } = await start();
    const second = await spend(first);
    const other = await service.newApp();
    // A spent token would end its session if accepted.
    service.clock.advance(31_000);
    for (const appKey of [undefined, other.app.appKey]) await service.refresh('rt_', appKey);
    const before = await rowOf(sid);
    for (const token of [first, second]) {
      const changed = Buffer.from(token.slice(3), 'base64url');
      changed[30] = (changed[30] as number) ^ 0x10;
      for (const bad of [`rt_${changed.toString('base64url')}`, token.slice(0, -1), `${token}AAAA`])
        await refusedUnasked(bad);
      await refusedUnasked(token, other.app.appKey);
    }
    expect(await rowOf(sid)).toEqual(before);
    await spend(second);
  });

  test("with another session's id and its own secret cannot end that session", async () => {
    const victim = await start();
    const second = await spend(victim.first);
    const attacker = await start();
    service.clock.advance(31_000);
    await service.refresh('rt_');
    const own = Buffer.from(attacker.first.slice(3), 'base64url');
    Buffer.from(victim.first.slice(3), 'base64url').copy(own, 2, 2, 18);
    await refusedUnasked(`rt_${own.toString('base64url')}`);
    await spend(second);
    await spend(attacker.first);
  });
});

test('a token whose encryption key is missing answers 503 without a query, and its session stays live', async () => {
  const { first } = await start();
  const { deps, app } = service;
  const foreign = keyRing(['another-secret-key-for-tests-and-long-enough'], deps.random);
  const token = { ...parse(first), keyId: foreign.currentKeyId };
  const sent = await statements.during(async () => {
    const answer = await service.refresh(encodeRefreshToken(foreign, app.app.id, token));
    expect(answer).toMatchObject({ status: 503, code: 'request/unavailable' });
    expect(answer.headers.get('retry-after')).toBe('60');
  });
  expect(sent).toEqual([]);
  await spend(first);
});

describe('a token made with a leaked key', () => {
  test.each([
    ['one generation ahead', 1],
    ['at the end of what the row can count', 2 ** 31 - 1],
  ])('with a generation that is %s changes nothing', async (_which, generation) => {
    const { first, sid } = await start();
    const before = await rowOf(sid);
    const forged = encode({ ...parse(first), generation });
    expect(await service.refresh(forged)).toMatchObject(invalid);
    expect(await rowOf(sid)).toEqual(before);
    await spend(first);
  });

  test('with an invented secret changes nothing', async () => {
    const { first, sid } = await start();
    const secret = service.deps.random.bytes(32);
    const before = await rowOf(sid);
    expect(await service.refresh(encode({ ...parse(first), secret }))).toMatchObject(invalid);
    const second = await spend(first);
    expect(await service.refresh(encode({ ...parse(first), secret }))).toMatchObject(invalid);
    expect((await rowOf(sid)).generation).toBe(before.generation + 1);
    await spend(second);
  });
});

function parse(text: string): RefreshToken {
  return parseRefreshToken(service.deps.keyRing, service.app.app.id, text) as RefreshToken;
}

function encode(token: RefreshToken): string {
  return encodeRefreshToken(service.deps.keyRing, service.app.app.id, token);
}
