// Finds the user of a bearer token in each API version: v2 by the session of an access token, v1 by its own token.
import type { Deps } from '../deps.js';
import { findSessionOfToken } from '../sessions/find-session.js';
import { useV1Token } from '../v1/tokens/find-v1-token.js';
import type { FindUser } from './guard.js';

export function sessionUser(deps: Deps): FindUser {
  return async (app, token) => ({ session: await findSessionOfToken(deps, app, token) });
}

export function v1TokenUser(deps: Deps): FindUser {
  return async (app, token) => ({ v1Token: await useV1Token(deps, app, token) });
}
