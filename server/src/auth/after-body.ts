// A client may take half a minute to send its body, after the guard has run. A secret key that is revoked in between, or a
// member who is removed, must not complete the call: otherwise an admin could keep a call open that creates a secret key,
// and finish it after being removed. Nor does a call of an app that is disabled. For users the operations themselves check
// that the session is live.
import { metadataOf } from '@foyer/contract';
import type { AppRoute } from '@ts-rest/core';
import type { Request, RequestHandler } from 'express';
import { requireSecretKey } from '../apps/find-secret-key.js';
import { readMember, requireRole } from '../console/find-member.js';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { memberCall, secretKeyCall } from './guard.js';

/** Reads the body, and authorizes the call again unless the body was complete before. */
export function authorizedAfter(deps: Deps, readBody: RequestHandler): RequestHandler {
  return (req, res, next) => {
    const wasComplete = req.complete;
    readBody(req, res, (error?: unknown) => {
      if (error || wasComplete) next(error);
      else authorizeAgain(deps, req).then(() => next(), next);
    });
  };
}

async function authorizeAgain(deps: Deps, req: Request): Promise<void> {
  const { caller } = req;
  // Public endpoints belong to no app.
  if (!caller) return;
  const app = await deps.apps.byKey(caller.app.appKey);
  if (!app?.enabled) throw new ApiError('request/invalid-app-key');
  if (caller.secretKey) {
    const call = secretKeyCall(caller, req, metadataOf(req.tsRestRoute as AppRoute));
    if (call) caller.secretKey = await requireSecretKey(deps, call);
  }
  if (caller.member) {
    const { uid, session } = caller.member;
    const call = memberCall(caller, req);
    const member = await readMember(deps, { uid, sessionId: session.sessionId, appId: call.appId });
    requireRole(deps, member, call);
    caller.member = member;
  }
}
