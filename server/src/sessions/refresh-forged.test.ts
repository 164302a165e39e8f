// Refresh tokens the service never issued: tampered, misdirected, forged. They change and cost nothing.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cheapPasswordHasher, statementLog, type TestService, testService } from '../../test/harness.js';
import { invalid, sessionScenario } from '../../test/session-scenario.js';
import { keyRing } from '../lib/crypto/key-ring.js';
import { encodeRefreshToken, parseRefreshToken, type RefreshToken } from './refresh-token.js';

const statements = statementLog();
let service: TestService;
beforeAll(async () => {
  const passwordHasher = await cheapPasswordHasher();
  service = await testService({ onStatement: statements.onStatement, overrides: { passwordHasher } });
});
afterAll(() => service.stop());

const { rowOf, spend, start } = sessionScenario(() => service);

/** Sends a token and expects no query. */
async function refusedUnasked(token: string, appKey?: string) {
  const sent = await statements.during(async () => {
    expect(await service.refresh(token, appKey), token).toMatchObject(invalid);
  });
  expect(sent).toEqual([]);
}

describe('a tampered token', () => {
  test('with any byte changed is invalid, costs no query and changes nothing', async () => {
    const { sid, first } = await start();
    const second = await spend(first);
    const before = await rowOf(sid);
    const keyIdAt = 1;
    // The current token and a spent one, which would end its session if accepted.
    service.clock.advance(31_000);
    await service.refresh('rt_');
    for (const token of [first, second]) {
      const good = Buffer.from(token.slice(3), 'base64url');
      for (let at = 0; at < good.length; at += 1) {
        if (at === keyIdAt) continue;
        const bytes = Buffer.from(good);
        bytes[at] = (bytes[at] as number) ^ 0x10;
        await refusedUnasked(`rt_${bytes.toString('base64url')}`);
      }
    }
    expect(await rowOf(sid)).toEqual(before);
    await spend(second);
  });

  test.each<[string, (token: string) => string]>([
    ['cut by a character', (token) => token.slice(0, -1)],
    ['cut in the middle', (token) => token.slice(0, 50)],
    ['cut to its prefix', () => 'rt_'],
    ['padded', (token) => `${token}==`],
    ['with a space behind', (token) => `${token} `],
    ['with more behind', (token) => `${token}AAAA`],
    ['in upper case', (token) => token.toUpperCase()],
    ['without its prefix', (token) => token.slice(3)],
  ])('%s is invalid, costs no query and changes nothing', async (_how, change) => {
    const { sid, first } = await start();
    const before = await rowOf(sid);
    await refusedUnasked(change(first));
    expect(await rowOf(sid)).toEqual(before);
    await spend(first);
  });

  test("with another session's id and its own secret cannot end that session", async () => {
    const victim = await start();
    const second = await spend(victim.first);
    const attacker = await start();
    service.clock.advance(31_000);
    await service.refresh('rt_');
    const sessionAt = [2, 18] as const;
    const theirs = Buffer.from(victim.first.slice(3), 'base64url');
    const own = Buffer.from(attacker.first.slice(3), 'base64url');
    theirs.copy(own, sessionAt[0], ...sessionAt);
    await refusedUnasked(`rt_${own.toString('base64url')}`);
    await spend(second);
    await spend(attacker.first);
  });

  test('with only the app key replaced is invalid, costs no query and changes nothing', async () => {
    const { sid, first } = await start();
    const other = await service.newApp();
    await service.refresh('rt_', other.app.appKey);
    const before = await rowOf(sid);
    await refusedUnasked(first, other.app.appKey);
    expect(await rowOf(sid)).toEqual(before);
    await spend(first);
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
    ['far ahead', 1_000_000],
    ['at the end of what the row can count', 2 ** 31 - 1],
    ['past the end of what the row can count', 2 ** 31],
    ['at the last one of four bytes', 2 ** 32 - 1],
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
