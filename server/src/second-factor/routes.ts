// HTTP of the second factor.
import { contract } from '@foyer/contract';
import { initServer } from '@ts-rest/express';
import type { Deps } from '../deps.js';
import { callOf } from '../http/call.js';
import { noContent, ok } from '../http/data-answer.js';
import { type Completed, completeSignIn } from './complete-sign-in.js';
import { beginWithTicket, confirmWithTicket } from './enroll-with-ticket.js';
import { beginTotp, confirmTotp, readFactors, replaceRecoveryCodes } from './own-factors.js';
import { removeOwnFactor } from './remove-factor.js';

export function secondFactorRoutes(deps: Deps) {
  return initServer().router(contract.secondFactor, {
    complete: async ({ req, res, body }) => ok(answerOf(res, await completeSignIn(deps, callOf(req), body))),
    enroll: async ({ req, body }) => ok(await beginWithTicket(deps, callOf(req), body.ticket)),
    confirmEnrollment: async ({ req, res, body }) => {
      const confirmed = await confirmWithTicket(deps, callOf(req), body);
      return ok({ ...answerOf(res, confirmed), recovery_codes: confirmed.recoveryCodes });
    },
    get: async ({ req }) => ok(await readFactors(deps, callOf(req))),
    beginTotp: async ({ req }) => ok(await beginTotp(deps, callOf(req))),
    confirmTotp: async ({ req, body }) =>
      ok({ recovery_codes: await confirmTotp(deps, callOf(req), body.code) }),
    newRecoveryCodes: async ({ req }) =>
      ok({ recovery_codes: await replaceRecoveryCodes(deps, callOf(req)) }),
    removeTotp: async ({ req }) => {
      await removeOwnFactor(deps, callOf(req));
      return noContent;
    },
  });
}

/** The answer that the first call would have given. */
function answerOf(
  res: { setHeader(name: string, value: string): unknown },
  { answer, deviceToken, isNewUser }: Completed,
) {
  res.setHeader('X-Device-Token', deviceToken);
  return { ...answer, ...(isNewUser !== undefined && { is_new_user: isNewUser }) };
}
