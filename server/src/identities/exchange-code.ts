// Exchanges provider B's authorization code in the background for a refresh token, which is stored so that it can be revoked
// when the account is deleted. A sign-in neither waits for the exchange nor fails because of it.
import type { Tx } from '@foyer/prisma';
import type { Deps } from '../deps.js';
import type { App } from '../model/app.js';
import { type TokenProof, tokenHashOf } from './proof.js';
import { canCallProviderB, clientSecretOf, exchangeAtProviderB } from './provider-b.js';
import { MissingKeyError, reasonOf, recordCallFailure } from './provider-call-failures.js';
import { queueRevocation } from './revoke-provider-tokens.js';
import { claimExchange, storeRefreshToken } from './store.js';
import { encryptToken } from './stored-provider-tokens.js';
import type { ProviderAccount } from './verify-id-token.js';

const exchangeJobs = 'provider_b_exchange';

type ExchangeJob = { appId: string; subject: string; clientId: string; code: string };

/**
 * Once for each ID token, since the provider issues one code with it. Otherwise somebody who repeats a token for as long as it
 * can be retried would keep the codes of other users waiting until they expire.
 */
export async function queueCodeExchange(
  tx: Tx,
  deps: Pick<Deps, 'queue'>,
  app: App,
  { subject, clientId }: ProviderAccount,
  proof: TokenProof,
): Promise<void> {
  const { authorizationCode: code } = proof;
  if (code === null || !canCallProviderB(app)) return;
  if (!(await claimExchange(tx, app.id, tokenHashOf(proof)))) return;
  const job: ExchangeJob = { appId: app.id, subject, clientId, code };
  await deps.queue.send(tx, exchangeJobs, job);
}

export function exchangeCodes(deps: Deps): void {
  // Six tries within some five minutes, the life of a code.
  const options = { retryLimit: 5, retryDelaySeconds: 5, expireSeconds: 30 };
  deps.queue.handle<ExchangeJob>(exchangeJobs, (job) => exchangeCode(deps, job), options);
}

/** Returns null when there will be none. Throws while provider B cannot be reached. */
async function exchangedTokens(deps: Deps, app: App, clientId: string, code: string) {
  try {
    const clientSecret = await clientSecretOf(deps, app, clientId);
    if (clientSecret === null) throw new MissingKeyError('the app has no private key for provider B');
    return await exchangeAtProviderB(deps, { clientId, clientSecret }, code);
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === 'unavailable') throw error;
    // The code expires before somebody corrects the settings.
    deps.logger.warn({ app_id: app.id, reason }, 'a code of provider B could not be exchanged');
    recordCallFailure(deps, app.id, 'provider.exchange_failed', { reason });
    return null;
  }
}

/** Throws while provider B cannot be reached. */
async function exchangeCode(deps: Deps, job: ExchangeJob): Promise<void> {
  const { appId, subject, clientId, code } = job;
  const app = await deps.apps.byId(appId);
  if (app === null) return;
  const tokens = await exchangedTokens(deps, app, clientId, code);
  if (tokens === null || tokens.refreshToken === null) return;
  // An attacker may send another person's code with their own identity token: revoking its token would affect that person.
  if (tokens.subject !== subject || tokens.audience !== clientId) {
    deps.logger.warn(
      { app_id: appId },
      'an authorization code and its identity token do not belong together',
    );
    return;
  }
  const key = { appId, provider: 'provider-b', subject } as const;
  const encrypted = encryptToken(deps.keyRing, key, tokens.refreshToken);
  if (await storeRefreshToken(deps.prisma, key, clientId, encrypted)) return;
  // The account was deleted, or the provider unlinked, before the exchange: revoke the token now.
  await queueRevocation(deps.prisma, deps, { appId, clientId, refreshToken: tokens.refreshToken });
}
