// HTTP of the user's passkeys.
import { contract } from '@foyer/contract';
import { initServer } from '@ts-rest/express';
import type { Deps } from '../deps.js';
import { callOf } from '../http/call.js';
import { created, ok } from '../http/data-answer.js';
import { ApiError } from '../lib/api-error.js';
import { sessionIdsOf } from '../model/call.js';
import { addPasskey } from './add-passkey.js';
import { listPasskeys, serializePasskey } from './list-passkeys.js';
import { creationOptions } from './options.js';
import { removePasskey } from './remove-passkeys.js';
import { renamePasskeyRow } from './store.js';

export function passkeyRoutes(deps: Deps) {
  return initServer().router(contract.passkeys, {
    list: async ({ req, query }) => ok(await listPasskeys(deps, sessionIdsOf(callOf(req)), query)),
    creationOptions: async ({ req }) => ok(await creationOptions(deps, callOf(req))),
    create: async ({ req, body }) => created(await addPasskey(deps, callOf(req), body)),
    rename: async ({ req, params, body }) => {
      const renamed = await renamePasskeyRow(deps.prisma, sessionIdsOf(callOf(req)), { ...params, ...body });
      if (!renamed) throw new ApiError('auth/passkey-not-found');
      return ok(serializePasskey(renamed));
    },
    remove: async ({ req, params }) => ok(await removePasskey(deps, callOf(req), params.id)),
  });
}
