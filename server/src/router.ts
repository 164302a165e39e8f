// The map: one line a contract group, and the room that answers it. It does not compile while an endpoint is missing.
import { contract } from '@foyer/contract';
import { initServer } from '@ts-rest/express';
import type { Deps } from './deps.js';
import { profileRoutes } from './profile/routes.js';
import { sessionRoutes } from './sessions/routes.js';
import { signInRoutes } from './sign-in/routes.js';
import { tokenRoutes } from './tokens/routes.js';

export function rooms(deps: Deps) {
  return initServer().router(contract, {
    signIn: signInRoutes(deps),
    sessions: sessionRoutes(deps),
    profile: profileRoutes(deps),
    tokens: tokenRoutes(deps),
  });
}
