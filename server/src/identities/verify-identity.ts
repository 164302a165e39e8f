// Verifies that a provider's token belongs to a linked identity of the user, for reauthentication.
import type { ProviderAProof, ProviderBProof } from '@foyer/contract';
import type { z } from 'zod';
import type { Deps, ProviderName } from '../deps.js';
import type { App } from '../model/app.js';
import { queueCodeExchange } from './exchange-code.js';
import { findOwner } from './find-owner.js';
import { proofOfProviderA, proofOfProviderB } from './proof.js';
import { verifyProviderAccount } from './verify-provider-account.js';

export { deleteIdTokensSeenBefore } from './store.js';

/** Throws when the token is not valid. */
export async function verifyIdentity(
  deps: Deps,
  app: App,
  uid: string,
  provider: ProviderName,
  token: z.infer<typeof ProviderAProof> | z.infer<typeof ProviderBProof>,
): Promise<boolean> {
  const proof = 'id_token' in token ? proofOfProviderA(token) : proofOfProviderB(token);
  if (proof.provider !== provider) return false;
  const account = await verifyProviderAccount(deps, app, proof);
  if ((await findOwner(deps, app, account))?.uid !== uid) return false;
  // Often the last request before the account is deleted, and so the last code from provider B.
  await queueCodeExchange(deps.prisma, deps, app, account, proof);
  return true;
}
