// The map: one line a contract group, and the room that answers it. It does not compile while an endpoint is missing.
import { contract } from '@foyer/contract';
import { initServer } from '@ts-rest/express';
import { appRoutes } from './apps/routes.js';
import type { Deps } from './deps.js';
import { identityRoutes } from './identities/routes.js';
import { passwordRoutes } from './passwords/routes.js';
import { profileRoutes } from './profile/routes.js';
import { sessionRoutes } from './sessions/routes.js';
import { signInRoutes } from './sign-in/routes.js';
import { tokenRoutes } from './tokens/routes.js';

export function rooms(deps: Deps) {
  return initServer().router(contract, {
    signIn: signInRoutes(deps),
    passwords: passwordRoutes(deps),
    sessions: sessionRoutes(deps),
    profile: profileRoutes(deps),
    identities: identityRoutes(deps),
    tokens: tokenRoutes(deps),
    apps: appRoutes(deps),
  });
}
