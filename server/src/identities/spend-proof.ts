// Uses up what proved an account at a provider, in the transaction of what it authorizes.
import type { Tx } from '@foyer/prisma';
import type { Deps } from '../deps.js';
import type { App } from '../model/app.js';
import { queueCodeExchange } from './exchange-code.js';
import { spendCode } from './redirect-code.js';
import { storeRefreshToken } from './store.js';
import { encryptToken } from './stored-provider-tokens.js';
import type { ProviderAccount } from './verify-id-token.js';

/** Throws `auth/invalid-credential` if it is the code of a redirect that was used before. An ID token is used when it is verified. */
export async function spendProof(
  tx: Tx,
  deps: Pick<Deps, 'queue' | 'keyRing' | 'clock'>,
  app: App,
  account: ProviderAccount,
): Promise<void> {
  const { proof, provider, subject, clientId, refreshToken } = account;
  if ('idToken' in proof) return queueCodeExchange(tx, deps, app, account, proof);
  await spendCode(tx, deps, app, proof);
  if (refreshToken === null) return;
  // The provider's own code has been exchanged for it.
  const key = { appId: app.id, provider, subject };
  await storeRefreshToken(tx, key, clientId, encryptToken(deps.keyRing, key, refreshToken));
}
