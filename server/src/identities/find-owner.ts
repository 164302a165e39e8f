// Finds the user that a provider account is linked to.
import type { Deps, ProviderName } from '../deps.js';
import type { App } from '../model/app.js';
import { findIdentityOwner, hasIdentity, type IdentityOwner } from './store.js';
import type { ProviderAccount } from './verify-id-token.js';

/** Null when no user of the app has linked it. */
export function findOwner(
  deps: Pick<Deps, 'prisma'>,
  app: App,
  account: Pick<ProviderAccount, 'provider' | 'subject'>,
): Promise<IdentityOwner | null> {
  const { provider, subject } = account;
  return findIdentityOwner(deps.prisma, { appId: app.id, provider, subject });
}

export function hasProvider(
  deps: Pick<Deps, 'prisma'>,
  app: App,
  uid: string,
  provider: ProviderName,
): Promise<boolean> {
  return hasIdentity(deps.prisma, { appId: app.id, uid }, provider);
}
