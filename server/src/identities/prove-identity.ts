// Whether a provider's token belongs to a user's own linked identity: a proof for reauthentication.
import type { ProviderAProof, ProviderBProof } from '@foyer/contract';
import type { z } from 'zod';
import type { Deps, ProviderName } from '../deps.js';
import type { App } from '../model/app.js';
import { queueCodeExchange } from './exchange-code.js';
import { findOwner } from './find-owner.js';
import { proofOfProviderA, proofOfProviderB } from './proof.js';
import { proveProviderAccount } from './prove-account.js';

export { deleteIdTokensSeenBefore } from './store.js';

/** Throws for a token that proves nothing at all. */
export async function proveIdentity(
  deps: Deps,
  app: App,
  uid: string,
  provider: ProviderName,
  token: z.infer<typeof ProviderAProof> | z.infer<typeof ProviderBProof>,
): Promise<boolean> {
  const proof = 'id_token' in token ? proofOfProviderA(token) : proofOfProviderB(token);
  if (proof.provider !== provider) return false;
  const account = await proveProviderAccount(deps, app, proof);
  if ((await findOwner(deps, app, account))?.uid !== uid) return false;
  // Often the last call before the account is deleted, and then the last code that provider B gives for it.
  await queueCodeExchange(deps.prisma, deps, app, account, proof);
  return true;
}
