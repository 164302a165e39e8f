// Each rate limit over HTTP: what counts together, what the next call is refused for, whom that leaves alone, and its end. The
// numbers are in contract/src/limits.test.ts; how windows count in server/engines/limiter.
import type { limits } from '@foyer/contract';
import { beforeEach, expect, test } from 'vitest';
import { createSecretKey } from '../src/apps/secret-keys.js';
import { byCommandLine } from '../src/model/actor.js';
import { codeScenario, newEmail, newPassword, wrongCode } from './code-scenario.js';
import type { Answer, CallOptions } from './harness.js';
import { expectLimited, from, limitedService, newAddress, times } from './limited-service.js';
import { shared } from './shared.js';
import { v1Scenario } from './v1-scenario.js';

const service = shared(limitedService);
// Every window of the previous test has ended.
beforeEach(() => service.clock.advance(24 * 3_600_000));

const scenario = codeScenario(() => service);
const v1 = v1Scenario(() => service);
const password = 'right password';

type NewApp = Awaited<ReturnType<typeof service.newAppWith>>;
/** A call, and the status of its answer unless it is refused. */
type Call = [status: number, call: () => Promise<Answer>];
type Calls = {
  /** They count in one window. */
  counted: Call[];
  /** What else is refused once the window is full. */
  refused?: Call[];
  /** What is not refused. */
  free: Call[];
};
type Row = {
  what: string;
  policy: keyof typeof limits.rateLimits;
  limit: number;
  windowSeconds: number;
  setUp(own: ReturnType<typeof callsOf>, made: NewApp): Promise<Calls>;
};

/** The calls of an app, each from an IP address of its own unless it is given one. */
function callsOf({ app }: NewApp) {
  const at = (address = newAddress(), more: CallOptions = {}): CallOptions => ({
    appKey: app.appKey,
    ...more,
    ...from(address),
  });
  const post = (path: string, body: unknown, address?: string, token?: string) =>
    service.call('POST', path, at(address, { body, token }));
  return {
    at,
    post,
    get: (path: string, token?: string, address?: string) =>
      service.call('GET', path, at(address, { token })),
    postV1: (path: string, body: unknown, address?: string) => v1.call('POST', path, at(address, { body })),
    signUp: (address?: string) => post('/auth/sign-up', { email: newEmail(), password }, address),
    signIn: (email: string, given = password, address?: string) =>
      post('/auth/sign-in', { email, password: given }, address),
    verify: (email: string, code = '000000', address?: string) =>
      post('/auth/email-code/verify', { email, code }, address),
    reset: (email: string, address?: string) =>
      post('/auth/password/reset', { email, code: '000000', password: newPassword }, address),
    reauthenticate: (token: string, body: object) => post('/auth/reauthenticate', body, undefined, token),
    async newUser() {
      const { json } = await post('/auth/sign-up', { email: newEmail(), password });
      const { user, access_token, refresh_token } = json.data;
      return { email: user.email as string, token: access_token as string, refreshToken: refresh_token };
    },
    async codeFor(email: string) {
      await scenario.send(email, at());
      return scenario.codeOf(email, 'sign_in');
    },
  };
}

const v1Reset = (email: string) => ({
  ...{ email, code: '000000', password: newPassword, password_confirmation: newPassword },
});

const rows: Row[] = [
  {
    what: 'calls with credentials from one IP address to both versions, successful or not',
    ...{ policy: 'auth-ip', limit: 10, windowSeconds: 60 },
    async setUp({ at, post, postV1, signUp, signIn, verify, reset }) {
      const address = newAddress();
      return {
        counted: [
          [201, () => signUp(address)],
          [401, () => signIn(newEmail(), password, address)],
          [400, () => post('/auth/sign-up', '{', address)],
          [422, () => verify(newEmail(), '000000', address)],
          [422, () => reset(newEmail(), address)],
          [422, () => postV1('/login', {}, address)],
          [422, () => postV1('/register', {}, address)],
          [422, () => postV1('/password/reset', {}, address)],
        ],
        free: [
          [201, () => signUp()],
          [401, () => service.signInFrom(address, newEmail(), password)],
          [200, () => service.call('GET', '/config', at(address))],
        ],
      };
    },
  },
  {
    what: 'wrong passwords for an email from one IP address, in both versions and in any spelling',
    ...{ policy: 'auth-failures-email-ip', limit: 7, windowSeconds: 900 },
    async setUp({ postV1, newUser, signIn, verify }) {
      const address = newAddress();
      const [{ email }, other] = [await newUser(), await newUser()];
      return {
        counted: [
          [401, () => signIn(email, 'wrong', address)],
          [401, () => signIn(` ${email.toUpperCase()} `, 'wrong', address)],
          [401, () => postV1('/login', { email, password: 'wrong' }, address)],
        ],
        refused: [
          [200, () => signIn(email, password, address)],
          [200, () => postV1('/login', { email, password }, address)],
        ],
        free: [
          [200, () => signIn(email)],
          [200, () => signIn(other.email, password, address)],
          [422, () => verify(email, '000000', address)],
        ],
      };
    },
  },
  ...['known', 'unknown'].map<Row>((which) => ({
    what: `wrong passwords for an ${which} email from all IP addresses`,
    ...{ policy: 'auth-failures-email', limit: 7, windowSeconds: 900 },
    async setUp({ newUser, signIn, verify, codeFor }) {
      const email = which === 'known' ? (await newUser()).email : newEmail();
      return {
        counted: [[401, () => signIn(email, 'wrong')]],
        refused: [[200, () => signIn(email)]],
        free: [
          [401, () => service.signInFrom(newAddress(), email, 'wrong')],
          [200, async () => verify(email, await codeFor(email))],
        ],
      };
    },
  })),
  ...['known', 'unknown'].map<Row>((which) => ({
    what: `wrong codes for an ${which} email from one IP address, in both versions`,
    ...{ policy: 'code-failures-email-ip', limit: 7, windowSeconds: 900 },
    async setUp({ postV1, newUser, signIn, verify, reset, codeFor }) {
      const address = newAddress();
      const user = await newUser();
      const email = which === 'known' ? user.email : newEmail();
      let code = '';
      return {
        counted: [
          [422, () => verify(email, '000000', address)],
          [422, () => reset(email, address)],
          [422, () => postV1('/password/reset', v1Reset(email), address)],
        ],
        refused: [
          [
            200,
            async () => {
              code = await codeFor(email);
              return verify(email, code, address);
            },
          ],
          // None of them is counted by the code, which ends with the fifth.
          ...Array.from({ length: 6 }, (): Call => [422, () => verify(email, wrongCode(code), address)]),
        ],
        free: [
          [422, () => verify(newEmail(), '000000', address)],
          [200, () => signIn(user.email, password, address)],
          [200, () => verify(email, code)],
        ],
      };
    },
  })),
  {
    what: 'wrong codes for an email from all IP addresses',
    ...{ policy: 'code-failures-email', limit: 7, windowSeconds: 900 },
    async setUp({ newUser, signIn, verify, reset }) {
      const { email } = await newUser();
      return {
        counted: [
          [422, () => verify(email)],
          [422, () => reset(email)],
        ],
        free: [
          [200, () => signIn(email)],
          [422, () => verify(newEmail())],
        ],
      };
    },
  },
  {
    what: 'wrong passwords and codes of a signed-in user, in all sessions and at all endpoints',
    ...{ policy: 'auth-failures-user', limit: 10, windowSeconds: 900 },
    async setUp({ at, post, newUser, signIn, reauthenticate, codeFor }) {
      const [{ email, token }, other] = [await newUser(), await newUser()];
      const code = await codeFor(email);
      const wrong = wrongCode(code);
      const { access_token: fresh } = (await signIn(email)).json.data;
      const change = (current_password: string) =>
        service.call(
          'PUT',
          '/me/password',
          at(newAddress(), { token, body: { password, current_password } }),
        );
      return {
        counted: [
          [401, () => reauthenticate(token, { password: 'wrong' })],
          [401, () => change('wrong')],
          [422, () => reauthenticate(token, { code: wrong })],
          [422, () => post('/auth/email/verification/confirm', { code: wrong }, newAddress(), token)],
        ],
        refused: [
          [200, () => reauthenticate(token, { password })],
          [200, () => reauthenticate(token, { code })],
          [200, () => reauthenticate(fresh, { password })],
          [204, () => change(password)],
        ],
        free: [
          [200, () => reauthenticate(other.token, { password })],
          [200, () => signIn(email)],
        ],
      };
    },
  },
  {
    what: 'calls of a user in all sessions, in both versions',
    ...{ policy: 'client', limit: 9, windowSeconds: 60 },
    async setUp({ at, get, newUser, signIn }) {
      const [{ email, token }, other] = [await newUser(), await newUser()];
      const { access_token: second } = (await signIn(email)).json.data;
      const v1Token = await v1.logIn({ email, password }, at());
      return {
        counted: [
          [200, () => get('/me', token)],
          [200, () => get('/me/sessions', second)],
          [200, () => v1.me(v1Token, at())],
        ],
        refused: [[204, () => service.call('POST', '/auth/sign-out', at(newAddress(), { token: second }))]],
        free: [[200, () => get('/me', other.token)]],
      };
    },
  },
  {
    what: 'refreshes of a session',
    ...{ policy: 'refresh-session', limit: 5, windowSeconds: 300 },
    async setUp({ post, newUser }) {
      const refreshOf = (session: { refreshToken: string }): Call => [
        200,
        async () => {
          const answer = await post('/auth/token/refresh', { refresh_token: session.refreshToken });
          if (answer.status === 200) session.refreshToken = answer.json.data.refresh_token;
          return answer;
        },
      ];
      return { counted: [refreshOf(await newUser())], free: [refreshOf(await newUser())] };
    },
  },
  {
    what: 'calls with an invalid token from one IP address',
    ...{ policy: 'invalid-credential-ip', limit: 9, windowSeconds: 60 },
    async setUp({ at, get, newUser }) {
      const address = newAddress();
      const [user, ended] = [await newUser(), await newUser()];
      await service.call('POST', '/auth/sign-out', at(newAddress(), { token: ended.token }));
      const tokens = [undefined, 'garbage', `${user.token}x`, ended.token];
      return {
        counted: tokens.map((token): Call => [401, () => get('/me', token, address)]),
        free: [
          [200, () => get('/me', user.token, address)],
          [401, () => get('/me', 'garbage')],
        ],
      };
    },
  },
  {
    what: 'sign-ins with providers and exchanges of v1 tokens from one IP address',
    ...{ policy: 'exchange-ip', limit: 7, windowSeconds: 60 },
    async setUp({ at, post, signIn, newUser }) {
      const address = newAddress();
      const { email } = await newUser();
      const token = await v1.logIn({ email, password }, at());
      const identity = { identity_token: 'x', authorization_code: 'c', nonce: 'y' };
      const a = (from?: string) => post('/auth/provider-a', { id_token: 'x', nonce: 'y' }, from);
      return {
        counted: [
          [403, () => a(address)],
          [403, () => post('/auth/provider-b', identity, address)],
          [401, () => v1.exchange('no token', at(address))],
        ],
        refused: [[200, () => v1.exchange(token, at(address))]],
        free: [
          [403, () => a()],
          [200, () => signIn(email, password, address)],
          [200, () => v1.exchange(token, at())],
        ],
      };
    },
  },
  {
    what: 'requests of codes from one IP address, to all emails and in both versions',
    ...{ policy: 'code-send-ip', limit: 4, windowSeconds: 3_600 },
    async setUp({ at, postV1 }) {
      const address = newAddress();
      const email = newEmail();
      return {
        counted: [
          [200, () => scenario.send(newEmail(), at(address))],
          [200, () => scenario.forgot(newEmail(), at(address))],
          [200, () => postV1('/password/forgot', { email: newEmail() }, address)],
        ],
        refused: [[200, () => scenario.send(email, at(address))]],
        free: [
          [
            200,
            async () => {
              expect(await scenario.mailed(email)).toEqual([]);
              return scenario.send(email, at());
            },
          ],
        ],
      };
    },
  },
  ...['one IP address', 'one user from all IP addresses'].map<Row>((whose) => ({
    what: `new push devices of ${whose}`,
    ...{ policy: 'new-device', limit: 3, windowSeconds: 600 },
    async setUp({ at, newUser }) {
      const address = whose === 'one IP address' ? newAddress() : undefined;
      const token = address ? undefined : (await newUser()).token;
      const register = (device: string, ip = newAddress()) => {
        const body = { provider: 'fcm', platform: 'android', token: device };
        return service.call('POST', '/push/devices', at(ip, { body, token }));
      };
      let last = '';
      const registerNew = () => {
        last = `token-${newEmail().replace('@', '-')}`;
        return register(last, address);
      };
      await register('known', address);
      return {
        counted: [[201, registerNew]],
        free: [
          [200, () => register('known', address)],
          ...(address ? [[201, () => register(last)] as Call] : []),
        ],
      };
    },
  })),
  {
    what: 'calls with one secret key from all IP addresses',
    ...{ policy: 'admin', limit: 5, windowSeconds: 60 },
    async setUp({ get }, { app, secretKey }) {
      const draft = { name: 'Another', scopes: ['users:read' as const], expiresAt: null };
      const another = await createSecretKey(service.deps, byCommandLine(app.id), draft);
      return {
        counted: [[200, () => get('/admin/users', secretKey)]],
        free: [[200, () => get('/admin/users', another.secretKey)]],
      };
    },
  },
];

test.each(rows)('a limit counts $what', async ({ policy, limit, windowSeconds, setUp }) => {
  const rule = { limit, windowSeconds };
  const made = await service.newAppWith({ [policy]: rule });
  const { counted, refused = [], free } = await setUp(callsOf(made), made);
  const countedBefore = policy === 'new-device' ? 1 : 0;
  await times(limit - countedBefore, async (place) => {
    const [status, call] = counted[place % counted.length] as Call;
    expect((await call()).status).toBe(status);
  });
  const hashed = service.deps.passwordHasher.done;
  for (const [, call] of [...counted, ...refused]) expectLimited(await call(), policy, windowSeconds, rule);
  expect(service.deps.passwordHasher.done).toBe(hashed);
  for (const [status, call] of free) expect((await call()).status).toBe(status);
  const [status, call] = counted[0] as Call;
  const after = await service.afterWindow(windowSeconds * 1_000, policy, call, rule);
  expect(after.status).toBe(status);
});
