// The ceilings: the minimal code that answers each measured call with the same essential work, on the same express and
// listen options. The service's figures are compared with them; see README.md.
import {
  createHash,
  createPublicKey,
  generateKeyPairSync,
  randomBytes,
  randomUUID,
  sign,
  verify,
} from 'node:crypto';
import { verify as verifyPassword } from '@node-rs/argon2';
import express from 'express';
import pg from 'pg';
import { ulid } from 'ulid';
import { listen } from '../../engines/http-guard/listen.js';

const { DATABASE_URL: connectionString, APP_ID: appId, PORT: port } = process.env;
// The service's default number of connections.
const pool = new pg.Pool({ connectionString, max: 10 });
const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const header = encode({ alg: 'ES256', typ: 'at+jwt', kid: 'ceiling' });
const sha256 = (data: Buffer) => createHash('sha256').update(data).digest();
const app = express();

// One UPDATE … RETURNING and one signature. The token is the session's id and the secret whose hash the row stores.
app.post('/refresh', express.json(), async (req, res) => {
  const [id, secret] = req.body.refresh_token.split('.');
  const spent = sha256(Buffer.from(secret, 'base64url'));
  const { rows } = await pool.query({
    name: 'refresh',
    text: `UPDATE sessions SET generation = generation + 1, secret_hash = $1, last_used_at = $2
      WHERE app_id = $3 AND id = $4 AND secret_hash = $5 RETURNING user_id`,
    values: [sha256(spent), new Date(), appId, id, spent],
  });
  res.json({
    data: {
      access_token: signed(rows[0].user_id, id),
      token_type: 'Bearer',
      expires_in: 3_600,
      refresh_token: `${id}.${spent.toString('base64url')}`,
    },
  });
});

// One signature verified and one SELECT.
app.get('/me', async (req, res) => {
  const [head, payload, signature] = (req.headers.authorization as string).slice(7).split('.') as [
    string,
    string,
    string,
  ];
  const key = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const;
  if (!verify('sha256', Buffer.from(`${head}.${payload}`), key, Buffer.from(signature, 'base64url'))) {
    res.status(401).end();
    return;
  }
  const { sub, sid } = JSON.parse(Buffer.from(payload, 'base64url').toString());
  const { rows } = await pool.query({
    name: 'me',
    text: `SELECT u.id AS uid, u.email, u.email_verified, u.first_name, u.last_name, u.photo_url, u.created_at
      FROM sessions s JOIN users u ON u.app_id = s.app_id AND u.id = s.user_id
      WHERE s.app_id = $1 AND s.id = $2 AND s.user_id = $3 AND s.ended_at IS NULL`,
    values: [appId, sid, sub],
  });
  res.json({ data: rows[0] });
});

// One SELECT, one verification of argon2id in libuv's pool (a thread a core), one INSERT, and one signature.
app.post('/sign-in', express.json(), async (req, res) => {
  const { rows } = await pool.query({
    name: 'sign-in',
    text: 'SELECT id, password_hash FROM users WHERE app_id = $1 AND email = $2',
    values: [appId, req.body.email],
  });
  if (!(await verifyPassword(rows[0].password_hash, req.body.password))) {
    res.status(401).end();
    return;
  }
  res.json({ data: await newSession(rows[0].id, 'password', '{pwd}') });
});

// One SELECT, one ES256 signature verified with the stored key, one INSERT, and one signature. The challenge is not verified.
app.post('/passkey', express.json(), async (req, res) => {
  const { id, response } = req.body.credential;
  const { rows } = await pool.query({
    name: 'passkey',
    text: `SELECT u.id, p.public_key FROM passkeys p JOIN users u ON u.app_id = p.app_id AND u.id = p.user_id
      WHERE p.app_id = $1 AND p.credential_id = $2`,
    values: [appId, Buffer.from(id, 'base64url')],
  });
  const [x, y] = [rows[0].public_key.subarray(10, 42), rows[0].public_key.subarray(45, 77)].map(
    (part: Buffer) => part.toString('base64url'),
  ) as [string, string];
  const key = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' });
  const client = sha256(Buffer.from(response.clientDataJSON, 'base64url'));
  const data = Buffer.concat([Buffer.from(response.authenticatorData, 'base64url'), client]);
  if (!verify('sha256', data, key, Buffer.from(response.signature, 'base64url'))) {
    res.status(401).end();
    return;
  }
  res.json({ data: await newSession(rows[0].id, 'passkey', '{swk,user,mfa}') });
});

const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'ceiling', use: 'sig', alg: 'ES256' };
app.get('/keys', (_req, res) => {
  res.json({ keys: [jwk, jwk] });
});

const config = { data: { values: { theme: 'dark' } } };
app.get('/config', (req, res) => {
  res.setHeader('ETag', '"ceiling"');
  if (req.headers['if-none-match'] === '"ceiling"') res.status(304).end();
  else res.json(config);
});

async function newSession(uid: string, method: string, amr: string): Promise<object> {
  const sid = ulid();
  const secret = randomBytes(32);
  await pool.query({
    name: 'start',
    text: `INSERT INTO sessions (app_id, id, user_id, key_id, secret_hash, method, amr, auth_time, device_type, created_at,
        last_used_at) VALUES ($1, $2, $3, 1, $4, $6, $7, $5, 'mobile', $5, $5)`,
    values: [appId, sid, uid, sha256(secret), new Date(), method, amr],
  });
  return {
    access_token: signed(uid, sid),
    token_type: 'Bearer',
    expires_in: 3_600,
    refresh_token: `${sid}.${secret.toString('base64url')}`,
  };
}

function signed(sub: string, sid: string): string {
  const iat = Math.floor(Date.now() / 1_000);
  const common = { iss: 'http://localhost:3000/ceiling', aud: appId, client_id: appId, sub, sid };
  const claims = { ...common, jti: randomUUID(), iat, exp: iat + 3_600, auth_time: iat, amr: ['pwd'] };
  const input = `${header}.${encode(claims)}`;
  const key = { key: privateKey, dsaEncoding: 'ieee-p1363' } as const;
  return `${input}.${sign('sha256', Buffer.from(input), key).toString('base64url')}`;
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

await listen(app, Number(port), '127.0.0.1');
process.once('disconnect', () => process.exit());
process.send?.('ready');
