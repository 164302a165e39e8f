// The tokens that a client sends from a provider, in one shape for both providers.
import type { ProviderAProof, ProviderBProof } from '@foyer/contract';
import type { z } from 'zod';
import type { ProviderName } from '../deps.js';
import { sha256 } from '../lib/crypto/digest.js';

export type ProviderProof = {
  provider: ProviderName;
  idToken: string;
  /** The raw value; the client sent provider B its SHA-256. */
  nonce: string;
  /** From provider B, to be exchanged for a token that can be revoked later. */
  authorizationCode: string | null;
};

export function proofOf(
  body: z.infer<typeof ProviderAProof> | z.infer<typeof ProviderBProof>,
): ProviderProof {
  const { nonce } = body;
  return 'id_token' in body
    ? { provider: 'provider-a', idToken: body.id_token, nonce, authorizationCode: null }
    : {
        provider: 'provider-b',
        idToken: body.identity_token,
        nonce,
        authorizationCode: body.authorization_code,
      };
}

/** Names an ID token without its signature, of which several encodings verify. */
export function tokenHashOf({ idToken }: ProviderProof): Buffer {
  return sha256(idToken.slice(0, idToken.lastIndexOf('.')));
}
