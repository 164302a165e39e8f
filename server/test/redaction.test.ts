// No secret in a log: a scenario of valid and invalid calls, with every line that the service's own logger wrote, and
// one line for each request.
import { beforeAll, describe, expect, test } from 'vitest';
import { sha256 } from '../src/lib/crypto/digest.js';
import { codeScenario, wrongCode } from './code-scenario.js';
import { sendFactorSecrets } from './factor-secrets.js';
import type { Answer, CallOptions, TestService } from './harness.js';
import { ecKeyPair } from './key-pairs.js';
import { pushScenario } from './push-scenario.js';
import { type RawAnswer, rawAnswer } from './raw-http.js';
import { sendBackendSecrets } from './secret-scenario.js';
import { shared } from './shared.js';
import { teamScenario, tokenIn } from './team-scenario.js';

const lines: string[] = [];
const push = shared(() => pushScenario({ onLogLine: (line) => lines.push(line) }));
let service: TestService;
/** The number of lines before the scenario. */
let before = 0;
/** Values that no line may contain, by description. */
const secrets = new Map<string, string>();
const answers: (Answer | RawAnswer)[] = [];

const email = 'leaked-email@example.com';
const password = 'leaked password, pässwörd';
const wrong = 'leaked wrong password';
const marker = 'leaked-marker';
const json = { 'content-type': 'application/json' };

beforeAll(async () => {
  ({ service } = push);
  before = lines.length;
  await runScenario();
});

async function runScenario(): Promise<void> {
  const call = async (...given: Parameters<TestService['call']>): Promise<Answer> => {
    const answer = await service.call(...given);
    answers.push(answer as Answer);
    return answer as Answer;
  };
  const raw = async (bytes: string) => {
    answers.push(await rawAnswer(service.listening.port, bytes));
  };
  const marked = {
    authorization: `Bearer ${marker}`,
    cookie: marker,
    'user-agent': marker,
    'x-client-device': marker,
    'x-client-version': marker,
    'x-forwarded-for': marker,
    'x-request-id': marker,
    'idempotency-key': marker,
    referer: `https://${marker}.example/`,
    origin: `https://${marker}.example`,
    accept: marker,
    'accept-language': marker,
    'x-other': marker,
  };
  const key = service.app.app.appKey;

  // A user's lifecycle: sign-up, sign-in, wrong passwords, profile, refresh, reuse, sign-out.
  const headers = { 'user-agent': marker, 'x-client-device': marker };
  const names = { first_name: marker, last_name: marker };
  const up = await call('POST', '/auth/sign-up', { body: { email, password, ...names }, headers });
  const into = await call('POST', '/auth/sign-in', { body: { email, password }, headers });
  await call('POST', '/auth/sign-in', { body: { email, password: wrong } });
  await call('POST', '/auth/sign-in', { body: { email: `other-${email}`, password: wrong } });
  await call('POST', '/auth/sign-up', { body: { email, password: wrong } });
  await call('POST', '/auth/sign-up', { body: { email: `new-${email}`, password: 'leaked' } });
  const { access_token, refresh_token } = into.json.data;
  await call('PATCH', '/me', { token: access_token, body: { photo_url: `https://${marker}.example/x.jpg` } });
  await call('GET', '/me/sessions', { token: access_token });
  const refreshed = await call('POST', '/auth/token/refresh', { body: { refresh_token } });
  service.clock.advance(31_000);
  await call('POST', '/auth/token/refresh', { body: { refresh_token } });
  await call('POST', '/auth/token/refresh', { body: { refresh_token: `${refresh_token.slice(0, -1)}_` } });
  await call('GET', '/me', { token: refreshed.json.data.access_token });
  await call('POST', '/auth/sign-out-all', { token: up.json.data.access_token });

  await sendCodes(call);
  await sendV1Secrets(call);
  await sendFactorSecrets({ service, call, secrets });
  await sendBackendSecrets({ service, call, secrets, marker }, push.providers);

  await tellOfTeam(call);

  // Requests broken in every part, each with a secret in it.
  await call('GET', `/${marker}/${email}`, { headers: marked });
  await call('GET', `/me?email=${email}&token=${marker}`, { headers: marked });
  await call('DELETE', `/me/sessions/${marker}`, { headers: marked });
  await call('DELETE', `/me/sessions/%ff${marker}`, { headers: marked });
  await call('POST', '/auth/sign-in', { body: `{"email":"${email}","password":"${wrong}"`, headers: json });
  await call('POST', '/auth/sign-in', { body: `${marker} ${password}`, headers: { 'content-type': marker } });
  await call('POST', '/auth/sign-in', {
    body: { email: { [email]: marker }, password: [wrong], [marker]: `${marker}\u0000` },
  });
  await call('POST', '/auth/sign-in', { body: { email, password: wrong.repeat(10_000) } });
  await call('GET', '/me', { appKey: marker, token: marker });
  await raw(`GET /${marker} HTTP/1.1\r\nX-${marker}: ${marker}\r\nnonsense ${marker}\r\n\r\n`);
  await raw(`GET /api/v2/me?${marker} HTTP/1.1\r\nX-App-Key: ${key}\r\nCookie: ${marker}\r\n\r\n`);
  await raw(
    `POST /api/v2/auth/sign-in HTTP/1.1\r\nHost: ${marker}\r\nX-App-Key: ${key}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz${marker}\r\n`,
  );

  // Internal errors: a database that refuses a row, with the row in its message.
  const { prisma } = service.database;
  const again = await call('POST', '/auth/sign-in', { body: { email, password } });
  const token = again.json.data.access_token;
  const backend = { token: service.app.secretKey };
  await prisma.$executeRaw`ALTER TABLE records ADD CONSTRAINT good CHECK (fields->>'bad' IS NULL)`;
  await call('PUT', '/data/journal/bad', { ...backend, body: { fields: { bad: marker } } });
  await prisma.$executeRaw`ALTER TABLE push_devices ADD CONSTRAINT good CHECK (name <> 'Bad')`;
  const device = { provider: 'fcm', platform: 'android', token: `of-${marker}`, name: 'Bad' };
  await call('POST', '/push/devices', { body: device });
  await prisma.$executeRaw`ALTER TABLE files ADD CONSTRAINT good CHECK (size <> 26)`;
  const form = new FormData();
  form.append('file', new Blob([marker + marker]), `${marker}.txt`);
  await call('POST', '/files', { ...backend, form });
  await prisma.$executeRaw`ALTER TABLE users ADD CONSTRAINT good CHECK (first_name <> 'Bad')`;
  await call('PATCH', '/me', { token, body: { first_name: 'Bad' } });
  await prisma.$executeRaw`ALTER TABLE users ALTER COLUMN photo_url TYPE integer USING NULL`;
  await call('PATCH', '/me', { token, body: { photo_url: `https://${marker}.example/x.jpg` } });
  await prisma.$executeRaw`ALTER TABLE sessions RENAME COLUMN amr TO other`;
  await call('GET', '/me', { token });
  await call('POST', '/auth/sign-in', { body: { email, password } });

  secrets.set('an email', email.slice(0, email.indexOf('@')));
  secrets.set('a password', 'leaked password');
  secrets.set('a wrong password', 'leaked wrong');
  secrets.set('anything of a path, query, header or body', marker);
  secrets.set('the app key', key);
  secrets.set('the secret key', service.app.secretKey);
  for (const answer of answers) {
    const { data } = answer.json ?? {};
    if (data?.access_token) secrets.set(`access token ${secrets.size}`, data.access_token.split('.')[2]);
    if (data?.refresh_token) secrets.set(`refresh token ${secrets.size}`, data.refresh_token.slice(-40));
  }
  for (const { password_hash } of await prisma.$queryRaw<
    { password_hash: string }[]
  >`SELECT password_hash FROM users WHERE password_hash IS NOT NULL`) {
    secrets.set(`password hash ${secrets.size}`, password_hash.slice(-20));
    secrets.set('any password hash', 'argon2id');
  }
  for (const row of await prisma.$queryRaw<{ hash: Uint8Array }[]>`
      SELECT secret_hash AS hash FROM sessions UNION ALL SELECT key_hash FROM secret_keys
      UNION ALL SELECT code_hash FROM codes UNION ALL SELECT token_hash FROM invitations
      UNION ALL SELECT mail_token_hash FROM invitations WHERE mail_token_hash IS NOT NULL`) {
    for (const form of ['hex', 'base64', 'base64url'] as const) {
      secrets.set(`stored hash ${secrets.size}`, Buffer.from(row.hash).toString(form).slice(0, 20));
    }
  }
}

/** Members and their invitations: open, accepted, refused. */
async function tellOfTeam(
  call: (...given: Parameters<TestService['call']>) => Promise<Answer>,
): Promise<void> {
  const recorded = { ...service, call: call as TestService['call'] };
  const team = await teamScenario(() => recorded);
  const appId = service.app.app.id;
  const email = 'leaked-member@example.com';
  const first = await team.ownerLink();
  const joined = await team.newMember(appId, 'admin', email);
  const { link } = await team.invite(appId, { email: `other-${email}`, role: 'viewer' });
  const token = tokenIn(link);
  await team.accept({ token, password: 'leaked wrong' });
  await team.accept({ token, password: 'leaked password of a member' });
  await team.accept({ token, password: 'leaked password of a member' });
  const open = await team.invite(appId, { email: `open-${email}`, role: 'viewer' });
  const body = { token: `${tokenIn(open.link)}x`, password: wrong };
  await team.call('POST', '/console/invitations/accept', { body });
  await call('GET', '/admin/settings', { token: joined.token });
  await call('GET', '/admin/settings', { token: `${joined.token}x` });
  await call('GET', '/me', { token: joined.token });
  secrets.set('an email of a member', 'leaked-member');
  secrets.set('a token of a member', joined.token.split('.')[2] as string);
  secrets.set('the refresh token of a member', joined.refreshToken.slice(-40));
  for (const one of [first, link, open.link]) {
    secrets.set(`an invitation ${secrets.size}`, tokenIn(one).slice('inv_'.length));
  }
  const [mail] = await service.mailbox(`open-${email}`);
  secrets.set('a mailed invitation', tokenIn(mail?.link ?? '').slice('inv_'.length));
}

/** Every call of v1, valid and invalid, and the exchange of its token. */
async function sendV1Secrets(
  call: (...given: Parameters<TestService['call']>) => Promise<Answer>,
): Promise<void> {
  const v1 = (method: string, path: string, options: CallOptions = {}) =>
    call(method, path, { ...options, version: 'v1' });
  const own = 'leaked-of-v1@example.com';
  const names = { first_name: marker, last_name: marker };
  await v1('POST', '/register', { body: { ...names, email: own, password, password_confirmation: wrong } });
  await v1('POST', '/register', {
    body: { ...names, email: own, password, password_confirmation: password },
  });
  await v1('POST', '/login', { body: { email: own, password: wrong } });
  const logIn = async () => {
    const { token } = (await v1('POST', '/login', { body: { email: own, password } })).json.data;
    secrets.set(`v1 token ${secrets.size}`, token);
    const hash = sha256(token);
    for (const form of ['hex', 'base64', 'base64url'] as const) {
      secrets.set(`stored hash ${secrets.size}`, hash.toString(form).slice(0, 20));
    }
    return token as string;
  };
  const [first, second, third] = [await logIn(), await logIn(), await logIn()];
  await v1('GET', `/me?${marker}`, { token: first });
  await v1('GET', `/${marker}`, { token: first });
  await v1('POST', '/logout', { token: first });
  await v1('GET', '/me', { token: first });
  await v1('POST', '/password/forgot', { body: { email: own } });
  await call('POST', '/auth/token/from-v1', { body: { v1_token: second } });
  await call('POST', '/auth/token/from-v1', { body: { v1_token: second } });
  await v1('DELETE', '/account/delete', { token: third });
  secrets.set('an email of v1', 'leaked-of-v1');
}

/** Every mail and every use of a code, with what only its recipient may know. */
async function sendCodes(
  call: (...given: Parameters<TestService['call']>) => Promise<Answer>,
): Promise<void> {
  const scenario = codeScenario(() => service);
  const post = (path: string, body: object, token?: string) => call('POST', path, { body, token });
  const signIn = async () => (await post('/auth/sign-in', { email, password })).json.data.access_token;
  const changed = 'leaked-next@example.com';
  const evil = 'leaked password that is new';

  for (const path of ['/auth/email-code/send', '/auth/password/forgot']) {
    for (const to of [email, `unknown-${email}`]) await post(path, { email: to });
  }
  const code = await scenario.codeOf(email, 'sign_in');
  await post('/auth/email-code/verify', { email, code: wrongCode(code) });
  const byCode = await post('/auth/email-code/verify', { email, code, first_name: marker });
  const token: string = byCode.json.data.access_token;
  await post('/auth/email-code/verify', { email, code });
  await call('POST', '/auth/email/verification/send', { token });
  const verification = await scenario.codeOf(email, 'verification');
  await post('/auth/email/verification/confirm', { code: verification }, token);
  await call('PUT', '/me/password', { token, body: { password: evil, current_password: wrong } });
  await call('PUT', '/me/password', { token, body: { password: evil } });
  await post('/auth/reauthenticate', { password: wrong }, token);
  await post('/auth/reauthenticate', { password: evil }, token);
  await post('/auth/reauthenticate', { provider_a: { id_token: marker, nonce: marker } }, token);
  await post('/me/email', { email: changed }, token);
  const change = await scenario.codeOf(changed, 'email_change');
  await post('/auth/email/verification/confirm', { code: change }, token);
  await post('/me/email', { email }, token);
  await post(
    '/auth/email/verification/confirm',
    { code: await scenario.codeOf(email, 'email_change') },
    token,
  );
  await post('/auth/password/forgot', { email });
  const reset = await scenario.codeOf(email, 'reset');
  await post('/auth/password/reset', { email, code: reset, password: 'leaked' });
  await post('/auth/password/reset', { email, code: reset, password });
  await post('/auth/provider-a', { id_token: marker, nonce: marker });
  await call('DELETE', '/me/identities/provider-a', { token: await signIn() });
  service.clock.advance(400_000);
  await call('DELETE', '/me', { token });

  const privateKey = ecKeyPair().privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const refusedKey = `-----BEGIN PRIVATE KEY-----\n${Buffer.from('leaked private key').toString('base64')}\n-----END PRIVATE KEY-----`;
  await call('PATCH', '/admin/settings', {
    token: service.app.secretKey,
    body: { provider_b: { private_key: refusedKey } },
  });
  const settings = { provider_b: { private_key: privateKey }, mail: { from_name: marker } };
  await call('PATCH', '/admin/settings', { token: service.app.secretKey, body: settings });
  await call('PATCH', '/admin/settings', { token: `${service.app.secretKey}x`, body: settings });

  const webhook = {
    token: service.app.secretKey,
    body: { url: `https://93.184.215.14/${marker}?${marker}` },
  };
  const made = await call('POST', '/admin/webhooks', webhook);
  const at = `/admin/webhooks/${made.json.data.id}`;
  const rotated = await call('POST', `${at}/rotate-secret`, { token: service.app.secretKey });
  await call('POST', '/admin/webhooks', {
    ...webhook,
    body: { url: `https://${marker}:${marker}@10.0.0.1/` },
  });
  await call('POST', `${at}/test`, { token: service.app.secretKey });
  for (const { json: answer } of [made, rotated]) {
    secrets.set(`a webhook's secret ${secrets.size}`, answer.data.secret.slice('whsec_'.length));
  }
  await call('DELETE', at, { token: service.app.secretKey });

  secrets.set('a refused private key', Buffer.from('leaked private key').toString('base64'));
  secrets.set('a private key', privateKey.split('\n')[1] as string);
  secrets.set('a new email', 'leaked-next');
  // Six digits may occur in a time or an id by chance, but not together with the subject of the mail.
  for (const mail of [...(await scenario.mailed(email)), ...(await scenario.mailed(changed))]) {
    secrets.set(`a mailed subject ${secrets.size}`, mail.subject);
    if (mail.code) secrets.set(`an emailed code ${secrets.size}`, `"${mail.code}"`);
  }
}

test('the scenario produced every kind of answer', () => {
  const statuses = new Set(answers.map(({ status }) => status));
  expect([...statuses].sort()).toEqual([
    200, 201, 202, 204, 400, 401, 403, 404, 409, 412, 413, 415, 416, 422, 428, 500,
  ]);
  expect(secrets.size).toBeGreaterThan(20);
  expect(lines.filter((line) => line.includes('"level":"error"'))).toHaveLength(7);
  expect(lines.filter((line) => line.includes('a push provider did not answer'))).toHaveLength(3);
  expect(secrets.get('a signature of a webhook')).toMatch(/^[A-Za-z0-9+/]{43}=$/);
});

test('no line holds a password, an email, a token, a key, a hash, or anything that a client sent', () => {
  const all = lines.join('').toLowerCase();
  const found = [...secrets].filter(([, secret]) => all.includes(secret.toLowerCase())).map(([what]) => what);
  expect(found).toEqual([]);
});

test('no audit entry holds any of it either, but what the team changed in settings that are no secrets', async () => {
  const entries = await service.auditEntries();
  expect(entries.length).toBeGreaterThan(5);
  const all = JSON.stringify(entries).toLowerCase();
  const withoutChanges = JSON.stringify(entries, (key, value) =>
    key === 'changes' ? undefined : value,
  ).toLowerCase();
  const found = [...secrets].filter(([, secret]) =>
    (secret === marker ? withoutChanges : all).includes(secret.toLowerCase()),
  );
  expect(found.map(([what]) => what)).toEqual([]);
});

describe('each request', () => {
  const requestLines = () =>
    lines
      .slice(before)
      .map((line) => JSON.parse(line))
      .filter(({ msg }) => msg === 'request');

  test('has exactly one line, with the request id and the status of its answer', () => {
    const seen = requestLines().map(({ request_id, status }) => `${request_id} ${status}`);
    const given = answers.map(({ headers, status }) => `${headers.get('x-request-id')} ${status}`);
    expect(seen.sort()).toEqual(given.sort());
    expect(new Set(given).size).toBe(answers.length);
  });

  test('is one line of JSON, which names the route by its pattern', () => {
    for (const line of lines) expect(line.indexOf('\n')).toBe(line.length - 1);
    for (const entry of requestLines()) {
      expect(entry).toMatchObject({
        level: 'info',
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        request_id: expect.stringMatching(/^[0-9A-Z]{26}$/),
        status: expect.any(Number),
        ms: expect.any(Number),
      });
      expect(entry.route ?? 'GET /').toMatch(/^(GET|POST|PUT|PATCH|DELETE) \/[a-z0-9_/:-]*$/);
      expect(entry.method ?? 'GET').toMatch(/^[A-Z]+$/);
    }
  });

  test('of a known app and user has their ids', () => {
    const updated = requestLines().find(({ route, status }) => route === 'PATCH /me' && status === 200);
    expect(updated).toMatchObject({
      app_id: service.app.app.id,
      uid: answers[0]?.json.data.user.uid,
      ip: '127.0.0.1',
    });
  });

  test('that failed has its cause in a separate line with the same request id', () => {
    const failed = answers
      .filter(({ status }) => status === 500)
      .map(({ headers }) => headers.get('x-request-id'));
    const causes = lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 'error');
    expect(causes.map(({ request_id }) => request_id)).toEqual(failed);
    for (const { err } of causes) expect(JSON.stringify(err)).toMatch(/"code":"[0-9A-Z]{5}"/);
  });
});
