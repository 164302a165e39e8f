// The backend's half in CommonJS, as Jest runs it: `jose`, which is an ES module, is found without a setting.
const { createAdmin, isFoyerError } = require('@foyer/sdk/admin');
const { generateKeyPairSync, sign } = require('node:crypto');

const baseUrl = 'https://accounts.example.com/api/v2';
const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'k1', alg: 'ES256', use: 'sig' };
const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');

function token(now = Math.floor(Date.now() / 1_000)) {
  const user = { sub: 'u1', sid: 's1', email: 'ada@example.com', email_verified: true };
  const times = { iat: now, exp: now + 900, auth_time: now };
  const claims = { ...user, ...times, iss: `${baseUrl}/apps/app1`, aud: 'app1' };
  const signed = `${part({ alg: 'ES256', kid: 'k1', typ: 'at+jwt' })}.${part(claims)}`;
  const key = { key: privateKey, dsaEncoding: 'ieee-p1363' };
  return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`;
}

const fetch = async () => ({ status: 200, headers: new Map(), json: async () => ({ keys: [jwk] }) });
const admin = createAdmin({ baseUrl, appKey: 'pk_1', appId: 'app1', fetch });

test('an access token is verified', async () => {
  expect((await admin.verifyAccessToken(token())).uid).toBe('u1');
});

test('a foreign and an expired one are refused', async () => {
  const code = (given) => admin.verifyAccessToken(given).catch((error) => isFoyerError(error) && error.code);
  expect(await code(`${token().slice(0, -8)}AAAAAAAA`)).toBe('auth/invalid-token');
  expect(await code(token(Math.floor(Date.now() / 1_000) - 3_600))).toBe('auth/token-expired');
});
