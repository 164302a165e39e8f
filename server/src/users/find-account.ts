// Looks up an account with what proofs and their rules need.
import type { Deps } from '../deps.js';
import type { App } from '../model/app.js';
import { type Account, findAccountByEmail, findAccountById } from './store.js';

export type { Account };

export function accountByEmail(deps: Pick<Deps, 'query'>, app: App, email: string): Promise<Account | null> {
  return findAccountByEmail(deps.query, app.id, email);
}

export function accountById(deps: Pick<Deps, 'query'>, app: App, uid: string): Promise<Account | null> {
  return findAccountById(deps.query, app.id, uid);
}
