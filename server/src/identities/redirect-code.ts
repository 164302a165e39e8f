// The code with which a user returns from a provider to the app: `pc_`, and the verified account at the provider, encrypted with
// ENCRYPTION_KEYS. It is bound to the client that began by PKCE, and works once; only its use is stored.
import { limits, type RedirectProof } from '@foyer/contract';
import type { Tx } from '@foyer/prisma';
import type { z } from 'zod';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { sha256 } from '../lib/crypto/digest.js';
import type { App } from '../model/app.js';
import type { CodeProof } from './proof.js';
import { trustsEmailOf } from './provider.js';
import { sameRedirectProvider } from './redirect-provider.js';
import { useRedirectCode } from './store.js';
import type { ProviderAccount, ReturnedAccount } from './verify-id-token.js';

const prefix = 'pc_';

type Sealed = {
  account: ReturnedAccount;
  issuer: string;
  challenge: string;
  /** Names the flow: a state that is sent twice gives two codes, of which one works. */
  flow: string;
  /** Milliseconds. */
  expiresAt: number;
};

export function sealCode(
  { keyRing, clock }: Pick<Deps, 'keyRing' | 'clock'>,
  app: Pick<App, 'id'>,
  account: ReturnedAccount,
  flow: Pick<Sealed, 'issuer' | 'challenge' | 'flow'>,
): string {
  const expiresAt = clock.now().getTime() + limits.providerCodeSeconds * 1_000;
  const sealed: Sealed = { ...flow, account, expiresAt };
  return prefix + keyRing.encrypt(Buffer.from(JSON.stringify(sealed)), contextOf(app)).toString('base64url');
}

/** The provider is that of the code unless it is given; empty for a code that is not one of the app's, and refused later. */
export function proofOfCode(
  deps: Pick<Deps, 'keyRing'>,
  app: App,
  { code, code_verifier: codeVerifier }: z.infer<typeof RedirectProof>,
  provider = unsealed(deps, app, code)?.account.provider ?? '',
): CodeProof {
  return { provider, code, codeVerifier };
}

/** Throws `auth/invalid-credential`. Does not tell a code that was used before: `spendCode` does. */
export function verifyCode(
  deps: Pick<Deps, 'config' | 'keyRing' | 'clock'>,
  app: App,
  proof: CodeProof,
): ProviderAccount {
  const sealed = unsealed(deps, app, proof.code);
  if (!sealed) throw refused('the code is not one of the app');
  const { account, issuer, challenge, expiresAt } = sealed;
  if (account.provider !== proof.provider) throw refused('the code is of another provider');
  if (expiresAt <= deps.clock.now().getTime()) throw refused('the code has expired');
  if (sha256(proof.codeVerifier).toString('base64url') !== challenge)
    throw refused('the code verifier is not that of the client that began');
  // The settings may have changed since the user returned.
  if (!sameRedirectProvider(deps, app, account.provider, { issuer, clientId: account.clientId }))
    throw refused('the provider of the code is no longer in the settings');
  const trustsEmail = trustsEmailOf(app, account.provider);
  return { ...account, emailVerified: account.emailVerified && trustsEmail, proof };
}

/**
 * Uses up a verified code with what it authorizes; throws `auth/invalid-credential` if it was used before. A call that fails, or
 * whoever has read the code in a log and has no verifier, does not use it up.
 */
export async function spendCode(
  tx: Tx,
  deps: Pick<Deps, 'keyRing' | 'clock'>,
  app: Pick<App, 'id'>,
  { code }: CodeProof,
): Promise<void> {
  const flow = unsealed(deps, app, code)?.flow;
  if (flow === undefined || !(await useRedirectCode(tx, app.id, sha256(flow), deps.clock.now())))
    throw refused('the code was used before');
}

function refused(cause: string): ApiError {
  return new ApiError('auth/invalid-credential', { cause });
}

function unsealed({ keyRing }: Pick<Deps, 'keyRing'>, app: Pick<App, 'id'>, code: string): Sealed | null {
  const bytes = Buffer.from(code.slice(prefix.length), 'base64url');
  if (code !== prefix + bytes.toString('base64url')) return null;
  try {
    return JSON.parse(keyRing.decrypt(bytes, contextOf(app)).toString());
  } catch {
    // Forged, altered, from another app, or encrypted under a key that was removed.
    return null;
  }
}

function contextOf({ id }: Pick<App, 'id'>): string {
  return `provider code ${id}`;
}
