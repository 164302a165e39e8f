// HTTP of support: what keeps a user from signing in, and how the team helps.
import { contract, type UserNote } from '@foyer/contract';
import { initServer } from '@ts-rest/express';
import { codeSent } from '../codes/send-code.js';
import type { Deps } from '../deps.js';
import { callOf } from '../http/call.js';
import { created, noContent, ok } from '../http/data-answer.js';
import { storeResponse } from '../idempotency/idempotency-key.js';
import { addNote, listNotes } from './notes.js';
import { sendCodeTo } from './send-code.js';
import { liftLimits, readSignInState } from './sign-in-state.js';

export function supportRoutes(deps: Deps) {
  return initServer().router(contract.support, {
    signInState: async ({ req, params }) => ok(await readSignInState(deps, callOf(req).app, params.uid)),
    liftLimits: async ({ req, params }) => {
      await liftLimits(deps, callOf(req), params.uid);
      return noContent;
    },
    sendCode: async ({ req, params, body }) => {
      await sendCodeTo(deps, callOf(req), { ...params, ...body });
      return ok(codeSent);
    },
    addNote: async ({ req, params, body }) => {
      const keep = storeResponse(req, created<UserNote>);
      return created(await addNote(deps, callOf(req), { ...params, ...body }, keep));
    },
    notes: async ({ req, params, query }) => ok(await listNotes(deps, callOf(req).app, params.uid, query)),
  });
}
