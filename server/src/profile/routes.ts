// HTTP of the signed-in user's own profile.
import { contract } from '@foyer/contract';
import { initServer } from '@ts-rest/express';
import type { Deps } from '../deps.js';
import { sessionOf, userIdsOf } from '../http/caller.js';
import { updateProfile } from '../users/update-profile.js';
import { presentUser } from '../users/user.js';

export function profileRoutes(deps: Deps) {
  return initServer().router(contract.profile, {
    get: async ({ req }) => ({ status: 200, body: { data: presentUser(sessionOf(req)) } }),
    update: async ({ req, body }) => {
      const user = await updateProfile(deps, userIdsOf(req), {
        firstName: body.first_name,
        lastName: body.last_name,
        photoUrl: body.photo_url,
      });
      return { status: 200, body: { data: presentUser(user) } };
    },
  });
}
