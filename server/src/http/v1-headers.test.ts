// The shutdown date of v1 on every answer, to the second, and 410 from then on.
import { AppSettingsPatch } from '@foyer/contract';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Answer } from '../../test/harness.js';
import { busyPasswordHasher, testService } from '../../test/harness.js';
import { type RawAnswer, rawAnswer, rawConnection } from '../../test/raw-http.js';
import { shared } from '../../test/shared.js';
import { expectV1Refusal, v1Scenario } from '../../test/v1-scenario.js';
import type { NewApp } from '../apps/create-app.js';

const service = shared(() => testService());

const v1 = v1Scenario(() => service);
const day = 24 * 3_600_000;
const gone = 'This version of the API has been switched off; please update the app.';
const link =
  '<https://accounts.test/docs#section/Moving-from-v1>; rel="sunset"; type="text/html", ' +
  '<https://accounts.test/api/v2/openapi.json>; rel="successor-version"; type="application/json"';

let app: NewApp;
beforeEach(async () => {
  service.clock.set(new Date('2026-03-01T10:00:00.123Z'));
  service.deps.apps.forget();
  app = await service.newApp();
});

const own = () => ({ appKey: app.app.appKey });
const settings = (body: object) =>
  service.call('PATCH', '/admin/settings', { ...own(), token: app.secretKey, body });
async function setSunset(at: string | null): Promise<Answer> {
  const answer = await settings({ v1_sunset_at: at });
  expect([answer.status, answer.code]).toEqual([200, undefined]);
  return answer;
}
const none = { sunset: null, deprecation: null, link: null };
const headersOf = ({ headers }: Pick<Answer, 'headers'>) => ({
  sunset: headers.get('sunset'),
  deprecation: headers.get('deprecation'),
  link: headers.get('link'),
});

const chunked = ['POST /api/v1/login HTTP/1.1', 'Transfer-Encoding: chunked'];
const gzipped = ['POST /api/v1/login HTTP/1.1', 'Transfer-Encoding: xchunked'];
const unkept = (send: () => Promise<RawAnswer>) => {
  service.deps.apps.forget();
  return send();
};

/** The answer to a broken request, sent in one packet. */
const sent = (lines: string[], rest = '') =>
  rawAnswer(
    service.listening.port,
    [...lines, `X-App-Key: ${app.app.appKey}`, 'Content-Type: application/json', '', rest].join('\r\n'),
  );

/** The first answer that is not a refusal of its empty body; the limit is 60 a minute. */
async function overTheLimit(): Promise<Answer> {
  const limited = await service.secondInstance({ rateLimits: true });
  const scenario = v1Scenario(() => limited);
  const calls = Array.from({ length: 61 }, () => scenario.call('POST', '/login', { ...own(), body: {} }));
  const over = (await Promise.all(calls)).find(({ status }) => status !== 422);
  await limited.stop();
  return over as Answer;
}

async function withBusyHasher(body: { email: string; password: string }): Promise<Answer> {
  const passwordHasher = await busyPasswordHasher();
  const busy = await service.secondInstance({ overrides: { passwordHasher } });
  const answer = await v1Scenario(() => busy).call('POST', '/login', { ...own(), body });
  await busy.stop();
  return answer;
}

async function withBrokenTable(token: string): Promise<Answer> {
  const { prisma } = service.database;
  await prisma.$executeRaw`ALTER TABLE v1_tokens RENAME COLUMN user_id TO other`;
  try {
    return await v1.me(token, own());
  } finally {
    await prisma.$executeRaw`ALTER TABLE v1_tokens RENAME COLUMN other TO user_id`;
  }
}

async function switchedOff(token: string): Promise<Answer> {
  const turn = async (enabled: boolean) => {
    await service.database.prisma.app.update({ where: { id: app.app.id }, data: { enabled } });
    service.deps.apps.forget();
  };
  await turn(false);
  try {
    return await v1.me(token, own());
  } finally {
    await turn(true);
  }
}

/** One answer of every kind, to calls with the app key. */
async function everyAnswer(token: string, user: { email: string; password: string }) {
  const body = (text: unknown, headers = {}) => v1.call('POST', '/login', { ...own(), body: text, headers });
  const { server, port } = service.listening;
  const { requestTimeout, headersTimeout } = server;
  Object.assign(server, { requestTimeout: 200, headersTimeout: 100 });
  const connection = await rawConnection(port);
  connection.send(
    `POST /api/v1/login HTTP/1.1\r\nHost: a\r\nX-App-Key: ${app.app.appKey}\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{`,
  );
  const late = await connection.answer();
  Object.assign(server, { requestTimeout, headersTimeout });
  return {
    200: await v1.me(token, own()),
    201: await v1.call('POST', '/register', { ...own(), body: v1.bodyOf() }),
    400: await body('{'),
    401: await body({ ...user, password: 'a wrong password' }),
    '401 by token': await v1.me('x', own()),
    '401 of an app that is off': await switchedOff(token),
    403: await v1.call('GET', '/me', { ...own(), token, headers: { origin: 'https://evil.example' } }),
    404: await v1.call('GET', '/nothing', own()),
    405: await v1.call('PUT', '/me', own()),
    408: late,
    413: await body({ filling: 'x'.repeat(110_000) }),
    415: await body('{}', { 'content-type': 'text/plain' }),
    422: await body({}),
    429: await overTheLimit(),
    500: await withBrokenTable(token),
    503: await withBusyHasher({ email: user.email, password: user.password }),
    '200 to HEAD': await v1.call('HEAD', '/me', { ...own(), token }),
    '405 to OPTIONS': await v1.call('OPTIONS', '/me', own()),
    '405 to CONNECT': await sent(['CONNECT /api/v1/me HTTP/1.1', 'Host: a']),
    '400 to a broken chunk': await sent([...chunked, 'Host: a'], 'zz\r\n'),
    '400 to an encoding of its own': await sent([...gzipped, 'Host: a'], '0\r\n\r\n'),
    '400 to a broken chunk, of an app not kept': await unkept(() => sent([...chunked, 'Host: a'], 'zz\r\n')),
    '400 without a Host': await sent(['GET /api/v1/me HTTP/1.1']),
  };
}

test('without a date no answer has the headers, and the settings return null for both dates', async () => {
  expect(headersOf(await v1.call('GET', '/nothing', own()))).toEqual(none);
  const { data } = await service.call('GET', '/admin/settings', { ...own(), token: app.secretKey });
  expect(data).toMatchObject({ v1_sunset_at: null, v1_deprecated_at: null });
});

describe('with a date', () => {
  test('every answer has the headers, to the second, and every refusal has the form of v1', async () => {
    const account = await v1.register({}, own());
    const token = await v1.logIn(account, own());
    await settings({ v1_sunset_at: '2026-09-01T12:34:56Z', allowed_origins: ['https://app.example'] });
    for (const [kind, answer] of Object.entries(await everyAnswer(token, account))) {
      expect([kind, answer.status]).toEqual([kind, Number(kind.slice(0, 3))]);
      if (answer.status >= 400) expectV1Refusal(answer, answer.status);
      expect([kind, headersOf(answer)]).toEqual([
        kind,
        {
          sunset: 'Tue, 01 Sep 2026 12:34:56 GMT',
          // 2026-03-01T10:00:00Z, the second in which the date was set.
          deprecation: '@1772359200',
          link,
        },
      ]);
    }
  });

  test('answers without the app key have none, since the date belongs to the app, and those of v2 neither', async () => {
    await setSunset('2026-09-01T12:34:56Z');
    for (const appKey of [null, 'pk_unknown', service.app.app.appKey]) {
      const answer = await v1.call('GET', '/nothing', { appKey });
      expectV1Refusal(answer, 404);
      expect(headersOf(answer)).toEqual(none);
    }
    expect(headersOf(await service.call('GET', '/me', own()))).toEqual(none);
  });

  test('other settings and a new date leave the deprecation time unchanged, and removing the date clears it', async () => {
    const deprecated = { v1_deprecated_at: '2026-03-01T10:00:00.123000Z' };
    expect((await setSunset('2026-09-01T00:00:00Z')).data).toMatchObject(deprecated);
    service.clock.advance(10 * day);
    expect((await settings({ sign_up: 'closed' })).data).toMatchObject({
      v1_sunset_at: '2026-09-01T00:00:00.000000Z',
      ...deprecated,
    });
    const moved = await setSunset('2027-01-01T00:00:00Z');
    expect(moved.data).toMatchObject({ v1_sunset_at: '2027-01-01T00:00:00.000000Z', ...deprecated });
    expect(headersOf(await v1.call('GET', '/nothing', own()))).toMatchObject({
      sunset: 'Fri, 01 Jan 2027 00:00:00 GMT',
      deprecation: '@1772359200',
    });
    expect((await setSunset(null)).json.data).toMatchObject({ v1_sunset_at: null, v1_deprecated_at: null });
    expect(headersOf(await v1.call('GET', '/nothing', own())).deprecation).toBeNull();
    expect((await setSunset('2027-01-01T00:00:00Z')).json.data.v1_deprecated_at).toBe(
      '2026-03-11T10:00:00.123000Z',
    );
  });

  test.each([
    ['2027-01-31T12:00:00+02:00', '2027-01-31T10:00:00.000000Z'],
    ['2027-01-31T12:00:00.999Z', '2027-01-31T12:00:00.000000Z'],
    ['2027-01-31T12:00:00.123456Z', '2027-01-31T12:00:00.000000Z'],
    ['2028-02-29T00:00:00Z', '2028-02-29T00:00:00.000000Z'],
  ])('%s is stored as %s', async (given, kept) => {
    expect((await setSunset(given)).json.data.v1_sunset_at).toBe(kept);
  });

  test.each([
    { v1_deprecated_at: '2026-01-01T00:00:00.000000Z' },
    ...['2027-01-31', '31 Jan 2027', '2027-02-29T00:00:00Z', '2027-13-01T00:00:00Z', '2027-01-31T25:00:00Z'],
    ...['2027-01-31T00:00:00', '9999-12-31T23:59:59-05:00', '', 1_800_000_000, true],
  ])('the settings refuse %j', (given) => {
    const patch = typeof given === 'object' ? given : { v1_sunset_at: given };
    expect(AppSettingsPatch.safeParse(patch).success).toBe(false);
  });
});

describe('from the date on', () => {
  test('v1 answers 410 from that second to every call, with the headers, and changes nothing', async () => {
    const account = await v1.register({}, own());
    const token = await v1.logIn(account, own());
    await settings({ v1_sunset_at: '2026-03-01T11:00:00Z', allowed_origins: ['https://app.example'] });
    service.clock.set(new Date('2026-03-01T10:59:59.999Z'));
    expect((await v1.me(token, own())).status).toBe(200);
    service.clock.set(new Date('2026-03-01T11:00:00.000Z'));
    const users = await service.database.prisma.user.count();
    const { 403: ofOrigin, ...others } = await everyAnswer(token, account);
    for (const [kind, answer] of Object.entries({
      ...others,
      'to a deletion': await v1.call('DELETE', '/account/delete', { ...own(), token }),
      'to OPTIONS of the document': await v1.call('OPTIONS', '/openapi.json', own()),
    })) {
      expect([kind, answer.status]).toEqual([kind, 410]);
      expect(answer.text).toBe(kind === '200 to HEAD' ? '' : JSON.stringify({ message: gone }));
      expect([kind, headersOf(answer)]).toEqual([
        kind,
        { sunset: 'Sun, 01 Mar 2026 11:00:00 GMT', deprecation: '@1772359200', link },
      ]);
    }
    // A page of another origin may not read even that.
    expectV1Refusal(ofOrigin, 403);
    expect(ofOrigin.headers.get('access-control-allow-origin')).toBeNull();
    expect(await service.database.prisma.user.count()).toBe(users);
    expect(await v1.tokensOf((await v1.rowOf(account.email)).id)).toHaveLength(1);
  });

  test('without an app key v1 still answers 401, and its OpenAPI document and v2 still work', async () => {
    await setSunset('2026-01-01T00:00:00Z');
    expectV1Refusal(await v1.call('GET', '/me', { appKey: null }), 401);
    expect((await v1.call('GET', '/openapi.json', own())).status).toBe(200);
    expect((await service.signUp(own())).uid).toBeTruthy();
    expect((await v1.call('GET', '/me', {})).status).toBe(401);
  });

  test('a past date applies at once, and removing it restores v1 and all tokens', async () => {
    const token = await v1.logIn(await v1.register({}, own()), own());
    const { json } = await setSunset('2026-02-01T00:00:00Z');
    // The time is not later than the date.
    expect(json.data.v1_deprecated_at).toBe('2026-02-01T00:00:00.000000Z');
    const answer = await v1.me(token, own());
    expectV1Refusal(answer, 410, gone);
    expect(headersOf(answer).deprecation).toBe('@1769904000');
    await setSunset(null);
    expect((await v1.me(token, own())).status).toBe(200);
  });
});
