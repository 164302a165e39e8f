// Looks up an account with what proofs and their rules need.
import type { App } from '../apps/app.js';
import type { Deps } from '../deps.js';
import { type Account, findAccountByEmail, findAccountById } from './store.js';

export type { Account };

export function accountByEmail(deps: Pick<Deps, 'prisma'>, app: App, email: string): Promise<Account | null> {
  return findAccountByEmail(deps.prisma, app.id, email);
}

export function accountById(deps: Pick<Deps, 'prisma'>, app: App, uid: string): Promise<Account | null> {
  return findAccountById(deps.prisma, app.id, uid);
}
