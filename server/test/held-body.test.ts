// A client may take half a minute to send its body, after the guard has checked its credential. A session that ends, a
// secret key that is revoked or a member who loses the role in between must not complete the call.
import { request } from 'node:http';
import { contract, type SecretKeyScope } from '@foyer/contract';
import { beforeAll, expect, test } from 'vitest';
import { createSecretKey } from '../src/apps/secret-keys.js';
import { byCommandLine } from '../src/model/actor.js';
import { testService } from './harness.js';
import { rawConnection } from './raw-http.js';
import { shared } from './shared.js';
import { type TeamScenario, type TestMember, teamScenario } from './team-scenario.js';

let onCredentialRead: (() => void) | null = null;
const service = shared(() =>
  testService({
    onStatement: (sql) => {
      if (/FROM sessions AS s JOIN users|FROM .*"secret_keys"/.test(sql)) onCredentialRead?.();
    },
  }),
);
let team: TeamScenario;
beforeAll(async () => {
  team = await teamScenario(() => service);
});

/** Sends all but the last byte, waits until the guard has read the credential, and returns how to send the rest. */
async function held(
  method: string,
  path: string,
  token: string,
  body: unknown,
  { appKey = service.app.app.appKey, type = 'application/json' } = {},
) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const guarded = new Promise<void>((resolve) => {
    onCredentialRead = resolve;
  });
  const req = request(`${service.url}/api/v2${path}`, {
    method,
    headers: {
      'x-app-key': appKey,
      authorization: `Bearer ${token}`,
      'content-type': type,
      'content-length': Buffer.byteLength(text),
    },
  });
  const answer = new Promise<{ status: number; code: string | undefined }>((resolve, reject) => {
    req.on('error', reject);
    req.on('response', (res) => {
      let said = '';
      res.on('data', (chunk) => {
        said += chunk;
      });
      res.on('end', () => {
        const code = said === '' ? undefined : JSON.parse(said).error?.code;
        resolve({ status: res.statusCode as number, code });
      });
    });
  });
  req.write(text.slice(0, -1));
  await guarded;
  onCredentialRead = null;
  return () => {
    req.end(text.slice(-1));
    return answer;
  };
}

const calls: [endpoint: { method: string; path: string }, body: unknown][] = [
  [contract.passwords.change, { password: 'the squatter was here' }],
  [contract.profile.update, { first_name: 'Squatter' }],
  [contract.profile.changeEmail, { email: 'squatter@example.com' }],
];

test.each(calls)(
  '$method $path changes nothing if the session ends before its body is complete',
  async (endpoint, body) => {
    const user = await service.signUp();
    const before = await service.deps.prisma.user.findFirstOrThrow({ where: { id: user.uid } });
    const release = await held(endpoint.method, endpoint.path, user.tokens.access_token, body);
    const ended = await service.call('POST', '/auth/sign-out-all', { token: user.tokens.access_token });
    expect(ended.status).toBe(204);
    expect(await release()).toEqual({ status: 401, code: 'auth/invalid-token' });
    const after = await service.deps.prisma.user.findFirstOrThrow({ where: { id: user.uid } });
    expect([after.passwordHash, after.firstName, after.email]).toEqual([
      before.passwordHash,
      before.firstName,
      before.email,
    ]);
    expect(await service.deps.prisma.code.count({ where: { subject: user.uid } })).toBe(0);
  },
);

test('the form of a provider, which needs no credential, is read however late it arrives', async () => {
  const connection = await rawConnection(service.listening.port);
  const form = 'state=AAAA';
  const lines = [
    'POST /api/v2/auth/providers/provider-b/callback HTTP/1.1',
    'Host: accounts.test',
    'Content-Type: application/x-www-form-urlencoded',
    `Content-Length: ${form.length}`,
    'Expect: 100-continue',
  ];
  connection.send(`${lines.join('\r\n')}\r\n\r\n`);
  expect((await connection.answer({ interim: true })).status).toBe(100);
  connection.send(form);
  const { status, json } = await connection.answer();
  expect([status, json.error.code]).toEqual([401, 'auth/invalid-credential']);
  connection.close();
});

test('a body that proves malformed once it is complete is refused', async () => {
  const user = await service.signUp();
  const release = await held('PATCH', '/me', user.tokens.access_token, '{"first_name":"Ada"]');
  expect(await release()).toEqual({ status: 400, code: 'request/malformed-json' });
});

const removals: [string, (member: TestMember, path: string) => Promise<{ status: number }>][] = [
  ['removed', async (_, path) => team.call('DELETE', path, { token: await team.ownerToken() })],
  [
    'given a lower role',
    async (_, path) => team.call('PATCH', path, { token: await team.ownerToken(), body: { role: 'editor' } }),
  ],
  ['signed out', ({ token }) => team.call('POST', '/auth/sign-out-all', { token })],
];

test.each(removals)(
  'an admin who is %s before the body is complete creates no secret key',
  async (_, end) => {
    const appId = service.app.app.id;
    const admin = await team.newMember(appId, 'admin');
    const keys = () => service.database.prisma.secretKey.count({ where: { appId } });
    const before = await keys();
    const draft = { name: 'a way back', scopes: ['users:write'] };
    const release = await held('POST', '/admin/keys', admin.token, draft);
    expect((await end(admin, `/console/apps/${appId}/members/${admin.uid}`)).status).toBeLessThan(300);
    expect([401, 403]).toContain((await release()).status);
    expect(await keys()).toBe(before);
  },
);

test('an admin who is given the role support before the body is complete changes no name of a user', async () => {
  const appId = service.app.app.id;
  const admin = await team.newMember(appId, 'admin');
  const { uid } = await service.signUp();
  const firstName = async () =>
    (await service.database.prisma.user.findFirstOrThrow({ where: { id: uid } })).firstName;
  const before = await firstName();
  const release = await held('PATCH', `/admin/users/${uid}`, admin.token, { first_name: 'Squatter' });
  const token = await team.ownerToken();
  const path = `/console/apps/${appId}/members/${admin.uid}`;
  expect((await team.call('PATCH', path, { token, body: { role: 'support' } })).status).toBe(200);
  expect(await release()).toEqual({ status: 403, code: 'console/insufficient-role' });
  expect(await firstName()).toBe(before);
});

test('an owner of the service who is removed before the body is complete changes no app', async () => {
  const owner = await team.newOwner();
  const { id } = (await service.newApp()).app;
  const { appKey } = team.consoleApp;
  const release = await held('PATCH', `/console/apps/${id}`, owner.token, { enabled: false }, { appKey });
  const path = `/console/apps/${team.consoleApp.id}/members/${owner.uid}`;
  expect((await team.call('DELETE', path, { token: await team.ownerToken() })).status).toBe(204);
  expect(await release()).toEqual({ status: 404, code: 'console/app-not-found' });
  expect(await service.deps.apps.byId(id)).toMatchObject({ enabled: true });
});

test('a secret key that is revoked before the body is complete creates no user', async () => {
  const { secretKey, revoke } = await leakedKey('users:write');
  const email = 'made-by-a-leaked-key@example.com';
  const release = await held('POST', '/admin/users', secretKey, { email });
  await revoke();
  expect(await release()).toEqual({ status: 401, code: 'admin/invalid-secret-key' });
  expect(await service.database.prisma.user.count({ where: { email } })).toBe(0);
});

test('a secret key that is revoked before the upload is complete stores no file', async () => {
  const { secretKey, revoke } = await leakedKey('files:write');
  const file = 'Content-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain';
  const form = `--limit\r\n${file}\r\n\r\nhello\r\n--limit--\r\n`;
  const release = await held('POST', '/files', secretKey, form, {
    type: 'multipart/form-data; boundary=limit',
  });
  await revoke();
  expect(await release()).toEqual({ status: 401, code: 'admin/invalid-secret-key' });
  expect(await service.database.prisma.file.count()).toBe(0);
});

async function leakedKey(scope: SecretKeyScope) {
  const appId = service.app.app.id;
  const draft = { name: 'leaked', scopes: [scope], expiresAt: null };
  const { key, secretKey } = await createSecretKey(service.deps, byCommandLine(appId), draft);
  const { token } = await team.newMember(appId, 'admin');
  const revoke = async () =>
    expect((await service.call('DELETE', `/admin/keys/${key.id}`, { token })).status).toBe(204);
  return { secretKey, revoke };
}

test('a call of an app that is disabled before the body is complete is refused', async () => {
  const { app, secretKey } = await service.newApp();
  const email = 'made-while-disabled@example.com';
  const release = await held('POST', '/admin/users', secretKey, { email }, { appKey: app.appKey });
  const token = await team.ownerToken();
  const body = { enabled: false };
  expect((await team.call('PATCH', `/console/apps/${app.id}`, { token, body })).status).toBe(200);
  expect(await release()).toEqual({ status: 401, code: 'request/invalid-app-key' });
  expect(await service.database.prisma.user.count({ where: { email } })).toBe(0);
});
