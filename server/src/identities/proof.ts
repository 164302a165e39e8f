// What a client sends from a provider, in one shape for all providers.
import type { ProviderAProof, ProviderBProof, ProviderProof as TokenOfProvider } from '@foyer/contract';
import type { z } from 'zod';
import { sha256 } from '../lib/crypto/digest.js';

export type ProviderProof = TokenProof | CodeProof;

export type TokenProof = {
  /** The id of the provider. */
  provider: string;
  idToken: string;
  /** The raw value; the client sent provider B its SHA-256. */
  nonce: string;
  /** Comes from provider B, to be exchanged for a token that can be revoked later. */
  authorizationCode: string | null;
};

/** The code of a user who has come back from the provider by redirect. */
export type CodeProof = { provider: string; code: string; codeVerifier: string };

export function proofOf(body: z.infer<typeof ProviderAProof> | z.infer<typeof ProviderBProof>): TokenProof {
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

/** What provider B is given in place of the nonce, so that the raw value proves who requested the token. */
export function hashedNonce(nonce: string): string {
  return sha256(nonce).toString('hex');
}

/** The proof of the provider with this id, without an authorization code. */
export function proofOfProvider(
  provider: string,
  { id_token: idToken, nonce }: z.infer<typeof TokenOfProvider>,
): TokenProof {
  return { provider, idToken, nonce, authorizationCode: null };
}

/** Names an ID token without its signature, of which several encodings verify. */
export function tokenHashOf({ idToken }: TokenProof): Buffer {
  return sha256(idToken.slice(0, idToken.lastIndexOf('.')));
}
