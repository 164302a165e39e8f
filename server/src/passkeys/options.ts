// The options of the two ceremonies, in the JSON form of WebAuthn. They write nothing.
import {
  limits,
  type PasskeyCreationOptions,
  type PasskeySignInOptions,
  passkeyTransports,
} from '@foyer/contract';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { type Call, sessionIdsOf, type UserCall } from '../model/call.js';
import { newChallenge } from './challenge.js';
import { requireRelyingParty } from './relying-party.js';
import { listPasskeyRows, type PasskeyRow } from './store.js';
import { userHandleOf } from './user-handle.js';

const expires_in = limits.passkeyChallengeSeconds;
const timeout = expires_in * 1_000;

/** Accepted public keys, the preferred first: EdDSA, ES256 and RS256. */
export const passkeyAlgorithms = [-8, -7, -257] as const;

/** POST /auth/passkey/options. */
export async function signInOptions(
  deps: Pick<Deps, 'prisma' | 'config' | 'clock' | 'random' | 'keyRing'>,
  { app, uid }: Pick<Call, 'app' | 'uid'>,
): Promise<PasskeySignInOptions> {
  const { rp_id: rpId } = requireRelyingParty(deps, app);
  const own = uid === null ? [] : await listPasskeyRows(deps.prisma, { appId: app.id, uid });
  const challenge = newChallenge(deps, { appId: app.id, purpose: 'sign-in' });
  const allowCredentials = own.map(descriptorOf);
  return {
    public_key: { challenge, timeout, rpId, allowCredentials, userVerification: 'preferred' },
    expires_in,
  };
}

/** POST /me/passkeys/options. */
export async function creationOptions(deps: Deps, call: UserCall): Promise<PasskeyCreationOptions> {
  const { app, session } = call;
  const ids = sessionIdsOf(call);
  const { rp_id: id, rp_name: name } = requireRelyingParty(deps, app);
  const own = await listPasskeyRows(deps.prisma, ids);
  if (own.length >= limits.passkeysPerUser) throw new ApiError('auth/too-many-passkeys');
  const { email, firstName, lastName } = session;
  const displayName = [firstName, lastName].filter((part) => part !== null).join(' ') || email;
  return {
    public_key: {
      rp: { id, name },
      user: { id: userHandleOf(ids), name: email, displayName },
      challenge: newChallenge(deps, { ...ids, purpose: 'registration' }),
      pubKeyCredParams: passkeyAlgorithms.map((alg) => ({ type: 'public-key', alg })),
      timeout,
      excludeCredentials: own.map(descriptorOf),
      authenticatorSelection: {
        residentKey: 'required',
        requireResidentKey: true,
        userVerification: 'preferred',
      },
      attestation: 'none',
    },
    expires_in,
  };
}

type Transport = (typeof passkeyTransports)[number];

/** The transports that the standard names, each once. */
export function knownTransports(given: readonly string[]): Transport[] {
  return passkeyTransports.filter((transport) => given.includes(transport));
}

function descriptorOf({ credentialId, transports }: PasskeyRow) {
  const id = Buffer.from(credentialId).toString('base64url');
  return { id, type: 'public-key' as const, transports: knownTransports(transports) };
}
