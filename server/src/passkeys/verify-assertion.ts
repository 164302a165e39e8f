// Verifies the signature of a passkey, for a sign-in and for whoever is signed in. Every refusal is decided before anything
// changes; the challenge is used up by `PasskeyUse`, together with what the signature starts.
import type { PasskeyAssertion } from '@foyer/contract';
import { uniqueViolation } from '@foyer/prisma';
import type { Deps } from '../deps.js';
import type { App } from '../model/app.js';
import {
  amrOfPasskey,
  type Ceremony,
  counterFellBack,
  judgeCeremony,
  readCeremony,
} from './ceremony-rules.js';
import { judgeChallenge } from './challenge.js';
import { RefusedPasskey } from './refused-passkey.js';
import { type RelyingParty, requireRelyingParty } from './relying-party.js';
import { findPasskeyWithOwner, type OwnedPasskey, type PasskeyUse, usedChallengeKey } from './store.js';
import { userHandleOf } from './user-handle.js';
import { webAuthn } from './webauthn.js';

export type VerifyPasskeyDeps = Pick<Deps, 'config' | 'query' | 'clock' | 'keyRing'>;

export type VerifiedPasskey = {
  owner: Pick<OwnedPasskey, 'uid' | 'credentialVersion' | 'disabled'>;
  /** The authenticator verified the user by a PIN or a biometric, so that the passkey is two factors. */
  userVerified: boolean;
  amr: string[];
  use: PasskeyUse;
};

/** `uid`: the user whose passkey it must be, for one who is known already. Throws `RefusedPasskey`. */
export async function verifyAssertion(
  deps: VerifyPasskeyDeps,
  app: App,
  assertion: PasskeyAssertion,
  uid?: string,
): Promise<VerifiedPasskey> {
  const party = requireRelyingParty(deps, app);
  const { clientDataJSON, authenticatorData } = assertion.response;
  const ceremony = readCeremony(
    await webAuthn(),
    clientDataJSON,
    Buffer.from(authenticatorData, 'base64url'),
  );
  if (!ceremony) throw new RefusedPasskey('malformed');
  const { origin } = ceremony;
  const refusal = judgeCeremony(ceremony, 'webauthn.get', party);
  if (refusal) throw new RefusedPasskey(refusal, { origin });
  const challenge = judgeChallenge(deps, { appId: app.id, purpose: 'sign-in' }, ceremony.challenge);
  if ('refusal' in challenge) throw new RefusedPasskey(challenge.refusal, { origin });

  const passkey = await findPasskeyWithOwner(deps.query, app.id, Buffer.from(assertion.id, 'base64url'));
  if (!passkey) throw new RefusedPasskey('unknown-passkey', { origin });
  if (!(await isSigned(assertion, { ceremony, party, passkey })))
    throw new RefusedPasskey('wrong-signature', { origin });

  const { counter, flags } = ceremony.authenticator;
  const about = { origin, uid: passkey.uid };
  // An authenticator that was told which passkeys to offer may leave the handle out; the user is then known.
  const handle = assertion.response.userHandle || (uid && userHandleOf({ appId: app.id, uid }));
  if (handle !== userHandleOf({ appId: app.id, uid: passkey.uid }))
    throw new RefusedPasskey('wrong-user-handle', about);
  if (uid !== undefined && passkey.uid !== uid) throw new RefusedPasskey('other-user', about);
  if (counterFellBack(passkey, counter)) throw new RefusedPasskey('counter-fell-back', about);
  const { id, uid: ownerId, credentialVersion, disabled } = passkey;
  return {
    owner: { uid: ownerId, credentialVersion, disabled },
    userVerified: flags.uv,
    amr: amrOfPasskey(flags.uv),
    use: {
      ...{ appId: app.id, uid: ownerId, id, counter, backedUp: flags.bs },
      ...{ rpId: party.rp_id, challengeHash: challenge.hash, now: deps.clock.now() },
    },
  };
}

/** Runs what uses up the challenge; one that was used before, however close the race, is refused like any other. */
export async function refusingReplay<Result>(uid: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (uniqueViolation(error) === usedChallengeKey) throw new RefusedPasskey('used-challenge', { uid });
    throw error;
  }
}

type Expected = { ceremony: Ceremony; party: RelyingParty; passkey: OwnedPasskey };

/** The library verifies again what was judged before. It throws for a signature or key that it cannot read. */
async function isSigned(
  { id, type, response }: PasskeyAssertion,
  { ceremony, party, passkey }: Expected,
): Promise<boolean> {
  const { clientDataJSON, authenticatorData, signature } = response;
  const { verifyAuthenticationResponse } = await webAuthn();
  try {
    const { verified } = await verifyAuthenticationResponse({
      response: {
        ...{ id, rawId: id, type, clientExtensionResults: {} },
        response: { clientDataJSON, authenticatorData, signature },
      },
      expectedChallenge: ceremony.challenge,
      expectedOrigin: party.origins,
      expectedRPID: party.rp_id,
      requireUserVerification: false,
      // The counter is judged here, since it means nothing for a synchronized passkey.
      credential: { id, publicKey: new Uint8Array(passkey.publicKey), counter: 0 },
    });
    return verified;
  } catch {
    return false;
  }
}
