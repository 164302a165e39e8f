// Verifies a new passkey. No attestation is asked for, so none is verified: the statement is left out before the library sees
// it, since its certificates could name URLs that the library would fetch.
import type { PasskeyRegistration } from '@foyer/contract';
import type { Deps } from '../deps.js';
import { sessionIdsOf, type UserCall } from '../model/call.js';
import { type Ceremony, judgeCeremony, readCeremony } from './ceremony-rules.js';
import { judgeChallenge } from './challenge.js';
import { knownTransports, passkeyAlgorithms } from './options.js';
import { RefusedPasskey } from './refused-passkey.js';
import { type RelyingParty, requireRelyingParty } from './relying-party.js';
import type { PasskeyRow } from './store.js';
import { type WebAuthn, webAuthn } from './webauthn.js';

type NewCredential = Pick<
  PasskeyRow,
  'credentialId' | 'publicKey' | 'counter' | 'backedUp' | 'transports' | 'aaguid' | 'rpId'
>;

/** Throws `RefusedPasskey`. */
export async function verifyRegistration(
  deps: Pick<Deps, 'config' | 'clock' | 'keyRing'>,
  call: UserCall,
  registration: PasskeyRegistration,
): Promise<{ credential: NewCredential; challengeHash: Buffer }> {
  const party = requireRelyingParty(deps, call.app);
  const { clientDataJSON, attestationObject, transports } = registration.response;
  const library = await webAuthn();
  const authData = authDataIn(library, attestationObject);
  const ceremony = authData && readCeremony(library, clientDataJSON, authData);
  if (!ceremony) throw new RefusedPasskey('malformed');
  const { origin } = ceremony;
  const refusal = judgeCeremony(ceremony, 'webauthn.create', party);
  if (refusal) throw new RefusedPasskey(refusal, { origin });
  const use = { ...sessionIdsOf(call), purpose: 'registration' } as const;
  const challenge = judgeChallenge(deps, use, ceremony.challenge);
  if ('refusal' in challenge) throw new RefusedPasskey(challenge.refusal, { origin });
  if (!hasAcceptedKey(library, ceremony)) throw new RefusedPasskey('unsupported-algorithm', { origin });

  const verified = await verifyWithoutStatement(registration, { ceremony, party, authData });
  if (verified?.credential.id !== registration.id) throw new RefusedPasskey('malformed', { origin });
  const { credential, aaguid, credentialBackedUp: backedUp } = verified;
  return {
    credential: {
      credentialId: Uint8Array.from(Buffer.from(credential.id, 'base64url')),
      publicKey: Uint8Array.from(credential.publicKey),
      counter: BigInt(credential.counter),
      backedUp,
      transports: knownTransports(transports ?? []),
      aaguid,
      rpId: party.rp_id,
    },
    challengeHash: challenge.hash,
  };
}

function authDataIn({ helpers }: WebAuthn, attestationObject: string): Uint8Array<ArrayBuffer> | null {
  try {
    const authData = helpers
      .decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, 'base64url')))
      .get('authData');
    return authData instanceof Uint8Array ? new Uint8Array(authData) : null;
  } catch {
    return null;
  }
}

/** An RSA key of 8,192 bits has some 1,100 bytes. */
const maxPublicKeyBytes = 1_200;

function hasAcceptedKey(
  { helpers }: WebAuthn,
  { authenticator: { credentialPublicKey } }: Ceremony,
): boolean {
  if (!credentialPublicKey || credentialPublicKey.length > maxPublicKeyBytes) return false;
  try {
    const algorithm = helpers.decodeCredentialPublicKey(credentialPublicKey).get(helpers.cose.COSEKEYS.alg);
    return passkeyAlgorithms.some((each) => each === algorithm);
  } catch {
    return false;
  }
}

type Expected = { ceremony: Ceremony; party: RelyingParty; authData: Uint8Array<ArrayBuffer> };

/** The library verifies again what was judged before. Null for what it refuses besides. */
async function verifyWithoutStatement(
  { id, type, response: { clientDataJSON } }: PasskeyRegistration,
  { ceremony, party, authData }: Expected,
) {
  const { helpers, verifyRegistrationResponse } = await webAuthn();
  const attestationObject = helpers.isoCBOR.encode(
    new Map<string, unknown>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', authData],
    ]) as never,
  );
  try {
    const result = await verifyRegistrationResponse({
      response: {
        ...{ id, rawId: id, type, clientExtensionResults: {} },
        response: {
          clientDataJSON,
          attestationObject: Buffer.from(attestationObject).toString('base64url'),
        },
      },
      expectedChallenge: ceremony.challenge,
      expectedOrigin: party.origins,
      expectedRPID: party.rp_id,
      requireUserVerification: false,
      supportedAlgorithmIDs: [...passkeyAlgorithms],
    });
    return result.verified ? result.registrationInfo : null;
  } catch {
    return null;
  }
}
