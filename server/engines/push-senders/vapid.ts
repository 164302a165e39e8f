// VAPID (RFC 8292): the key pair of an app, and the signed authorization of each message.
import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { SignJWT } from 'jose';
import { privateKeyOf } from '../keys/index.js';

export type VapidKeys = {
  /** The uncompressed point, base64url: what browsers subscribe with. */
  publicKey: string;
  /** PKCS #8 in PEM. */
  privateKey: string;
};

/** RFC 8292 allows at most 24 hours. */
const tokenSeconds = 12 * 3_600;

export function newVapidKeys(): VapidKeys {
  // Encoded at once: exporting a KeyObject of a new pair as JWK can block for ever (tokens/rotate-signing-keys.ts).
  const publicKeyEncoding = { format: 'der', type: 'spki' } as const;
  const privateKeyEncoding = { format: 'pem', type: 'pkcs8' } as const;
  const options = { namedCurve: 'P-256', publicKeyEncoding, privateKeyEncoding };
  const { publicKey, privateKey } = generateKeyPairSync('ec', options);
  const { x = '', y = '' } = createPublicKey({ key: publicKey, ...publicKeyEncoding }).export({
    format: 'jwk',
  });
  const point = Buffer.concat([Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]);
  return {
    publicKey: point.toString('base64url'),
    privateKey,
  };
}

/** The `Authorization` header for one push service, by its origin. */
export async function vapidAuthorization(
  keys: VapidKeys,
  subject: string,
  origin: string,
  nowSeconds: number,
): Promise<string> {
  const token = await new SignJWT()
    .setProtectedHeader({ alg: 'ES256', typ: 'JWT' })
    .setAudience(origin)
    .setExpirationTime(nowSeconds + tokenSeconds)
    .setSubject(subject)
    .sign(await privateKeyOf(keys.privateKey, 'ES256'));
  return `vapid t=${token}, k=${keys.publicKey}`;
}
