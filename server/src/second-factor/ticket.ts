// The ticket of a sign-in whose first step is verified: `sf_`, and what the second step needs to start the session, encrypted
// with ENCRYPTION_KEYS. Nothing is stored until it is used: a restart, or another instance, reads it as well.
import { limits } from '@foyer/contract';
import type { KeyRing } from '../../engines/keys/index.js';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { hmacSha256, sha256 } from '../lib/crypto/digest.js';
import type { App } from '../model/app.js';
import type { FirstStep } from '../sessions/start-session.js';
import { secretBytes } from './totp.js';

const prefix = 'sf_';

type Sealed = Pick<FirstStep, 'uid' | 'credentialVersion'> & {
  method: FirstStep['signIn']['method'];
  amr?: string[];
  /** Milliseconds. */
  authTime?: number;
  codeFlow?: string;
  isNewUser?: boolean;
  /** The user has no factor yet, and enrolls one. */
  enrolls: boolean;
  /** Milliseconds. */
  expiresAt: number;
};

export type Ticket = Pick<FirstStep, 'uid' | 'credentialVersion' | 'signIn'> &
  Pick<Sealed, 'isNewUser' | 'enrolls'> & {
    /** Names the ticket in the rows of guesses and used tickets. */
    hash: string;
    /** The secret that an enrollment with this ticket offers: the same in each call, though nothing is stored. */
    enrollmentSecret(): Buffer;
  };

export function sealTicket(
  deps: Pick<Deps, 'keyRing' | 'clock'>,
  app: Pick<App, 'id'>,
  { uid, credentialVersion, signIn }: FirstStep,
  { isNewUser, enrolls }: { isNewUser: boolean | undefined; enrolls: boolean },
): string {
  const { method, amr, authTime, codeFlow } = signIn;
  const sealed: Sealed = {
    uid,
    credentialVersion,
    method,
    ...(amr && { amr }),
    ...(authTime && { authTime: authTime.getTime() }),
    ...(codeFlow && { codeFlow }),
    ...(isNewUser !== undefined && { isNewUser }),
    enrolls,
    expiresAt: deps.clock.now().getTime() + limits.secondFactorSeconds * 1_000,
  };
  return (
    prefix + deps.keyRing.encrypt(Buffer.from(JSON.stringify(sealed)), contextOf(app)).toString('base64url')
  );
}

/** Throws `auth/invalid-token` for a ticket that is forged, of another app, or expired. */
export function openTicket(
  deps: Pick<Deps, 'keyRing' | 'clock'>,
  app: Pick<App, 'id'>,
  text: string,
): Ticket {
  const bytes = Buffer.from(text.slice(prefix.length), 'base64url');
  const sealed = text === prefix + bytes.toString('base64url') ? unsealed(deps.keyRing, app, bytes) : null;
  if (!sealed || sealed.expiresAt <= deps.clock.now().getTime()) throw new ApiError('auth/invalid-token');
  const { uid, credentialVersion, method, amr, authTime, codeFlow, isNewUser, enrolls } = sealed;
  const signIn = {
    method,
    ...(amr && { amr }),
    ...(authTime !== undefined && { authTime: new Date(authTime) }),
    ...(codeFlow !== undefined && { codeFlow }),
  };
  return {
    ...{ uid, credentialVersion, signIn, enrolls },
    ...(isNewUser !== undefined && { isNewUser }),
    hash: sha256(bytes).toString('base64url'),
    enrollmentSecret() {
      const key = deps.keyRing.derive(deps.keyRing.keyIdOf(bytes), 'second factor enrollment');
      return hmacSha256(key, bytes).subarray(0, secretBytes);
    },
  };
}

function unsealed(keyRing: KeyRing, app: Pick<App, 'id'>, bytes: Buffer): Sealed | null {
  try {
    return JSON.parse(keyRing.decrypt(bytes, contextOf(app)).toString());
  } catch {
    // Forged, altered, from another app, or encrypted under a key that was removed.
    return null;
  }
}

function contextOf({ id }: Pick<App, 'id'>): string {
  return `second factor ticket ${id}`;
}
