// Codes of authenticator apps: TOTP (RFC 6238) with SHA-1, six digits and 30 seconds, the parameters that every app supports.
import { limits } from '@foyer/contract';
import { Secret, TOTP } from 'otpauth';
import type { Random } from '../lib/crypto/random.js';

/** The length of the hash, as RFC 4226 recommends. */
export const secretBytes = 20;

const { digits, stepSeconds, stepsAround } = limits.totp;
const parameters = { algorithm: 'SHA1', digits, period: stepSeconds };

export function newSecret(random: Random): Buffer {
  return random.bytes(secretBytes);
}

/** The secret as users type it and as they scan it. */
export function enrollmentOf(bytes: Uint8Array, { app, email }: { app: string; email: string }) {
  const secret = asSecret(bytes);
  // A colon separates the issuer from the account in the label.
  const issuer = app.replaceAll(':', ' ');
  const uri = new TOTP({ ...parameters, secret, issuer, label: email }).toString();
  return { secret: secret.base32, uri };
}

/** The step that the code belongs to, if that is near enough to now and after the last accepted step; else null. */
export function stepOfCode(
  bytes: Uint8Array,
  token: string,
  { now, lastStep }: { now: Date; lastStep: number },
): number | null {
  const timestamp = now.getTime();
  const delta = TOTP.validate({
    ...parameters,
    token,
    secret: asSecret(bytes),
    timestamp,
    window: stepsAround,
  });
  if (delta === null) return null;
  const step = TOTP.counter({ period: stepSeconds, timestamp }) + delta;
  return step > lastStep ? step : null;
}

function asSecret(bytes: Uint8Array): Secret {
  return new Secret({ buffer: new Uint8Array(bytes).buffer });
}
