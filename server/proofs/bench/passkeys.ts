// Passkeys of the benchmark's users, and the assertions that sign in with them. The authenticators of all users share a key
// pair: making so many would take minutes.
import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto';
import type { KeyRing } from '../../engines/keys/key-ring.js';
import { systemClock } from '../../src/lib/clock.js';
import { systemRandom } from '../../src/lib/crypto/random.js';
import { newChallenge } from '../../src/passkeys/challenge.js';
import { userHandleOf } from '../../src/passkeys/user-handle.js';
import { onDatabase, userIdOf, usersPerApp } from './database.js';

const rpId = 'example.com';
const origin = 'https://example.com';
const privateKey = createPrivateKey({
  key: {
    ...{ kty: 'EC', crv: 'P-256', d: 'jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI' },
    x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
    y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
  },
  format: 'jwk',
});
const { x = '', y = '' } = createPublicKey(privateKey).export({ format: 'jwk' });
const bytesOf = (text: string) => Buffer.from(text, 'base64url');
/** {1: 2 (EC2), 3: -7 (ES256), -1: 1 (P-256), -2: x, -3: y} in CBOR. */
const coseKey = Buffer.concat([
  Buffer.from('a5010203262001215820', 'hex'),
  bytesOf(x),
  Buffer.from('225820', 'hex'),
  bytesOf(y),
]);
const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();
/** The user is present and verified, and the passkey synchronized, so that its counter stays 0. */
const authenticatorData = Buffer.concat([sha256(rpId), Buffer.from([0x1d, 0, 0, 0, 0])]);
const random = systemRandom();

/** A passkey for each user of the app, and the setting that allows them. */
export function seedPasskeys(databaseUrl: string, appId: string): Promise<void> {
  return onDatabase(databaseUrl, async (client) => {
    const settings = { passkeys: { rp_id: rpId, rp_name: 'Bench', origins: [origin] } };
    await client.query('UPDATE apps SET settings = settings || $2::jsonb WHERE id = $1', [appId, settings]);
    await client.query(
      `INSERT INTO passkeys (app_id, id, user_id, credential_id, public_key, counter, backed_up, transports, aaguid, name,
         created_at)
       SELECT $1, id, id, sha256(id::bytea), $2, 0, true, '{internal}', '00000000-0000-0000-0000-000000000000', 'Phone',
         now() - interval '20 days'
       FROM (SELECT '01JC' || lpad(n::text, 22, '0') AS id FROM generate_series(0, ${usersPerApp - 1}) AS n) AS u`,
      [appId, coseKey],
    );
    await client.query('VACUUM ANALYZE passkeys');
  });
}

/** Makes and signs the challenges of an app, which the service does not store. */
export function passkeysOf(appId: string, keyRing: KeyRing): (user: number) => object {
  return (user) => {
    const uid = userIdOf(user);
    const use = { appId, purpose: 'sign-in' } as const;
    const challenge = newChallenge({ clock: systemClock, random, keyRing }, use);
    const client = Buffer.from(
      JSON.stringify({ type: 'webauthn.get', challenge, origin, crossOrigin: false }),
    );
    const signature = sign('sha256', Buffer.concat([authenticatorData, sha256(client)]), privateKey);
    const id = sha256(uid).toString('base64url');
    const response = {
      clientDataJSON: client.toString('base64url'),
      authenticatorData: authenticatorData.toString('base64url'),
      signature: signature.toString('base64url'),
      userHandle: userHandleOf({ appId, uid }),
    };
    const credential = { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
    return { credential };
  };
}
