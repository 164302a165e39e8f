// HTTP of v1; and in v2 of the token exchange and the migration figures.
import { contract, v1Contract } from '@foyer/contract';
import { initServer } from '@ts-rest/express';
import type { Deps } from '../../deps.js';
import { callOf, v1CallOf } from '../../http/call.js';
import { ok } from '../../http/data-answer.js';
import { forgotPassword, resetPassword } from '../../passwords/reset-password.js';
import { withVerifiedPassword } from '../../passwords/verify-password.js';
import { deleteAccount } from '../../profile/delete-account.js';
import { signOutOfV1 } from '../../v1-tokens/end-v1-tokens.js';
import { recordV1Use, requireLiveV1Token } from '../../v1-tokens/find-v1-token.js';
import { startV1Token } from '../../v1-tokens/start-v1-token.js';
import { exchangeV1Token } from './exchange-token.js';
import { migrationFigures } from './migration-figures.js';
import { register } from './register.js';
import { showUser, showUserWithConfig } from './show-user.js';

export function v1AccountRoutes(deps: Deps) {
  return initServer().router(v1Contract.accounts, {
    register: async ({ req, body }) => {
      const call = callOf(req);
      const { email, password, first_name: firstName, last_name: lastName } = body;
      const row = await register(deps, call, { email, password, firstName, lastName });
      return { ...success(call.app, { user: await showUser(deps, call.app, row) }), status: 201 };
    },
    logIn: async ({ req, body }) => {
      const call = callOf(req);
      // The sign-in has the limits of v2, but it starts a v1 token instead of a session.
      const { token, user } = await withVerifiedPassword(deps, call, body, (credential) =>
        startV1Token(deps, call, credential),
      );
      return success(call.app, { token, ...(await showUserWithConfig(deps, call.app, user)) });
    },
    get: async ({ req }) => {
      const { app, v1Token } = v1CallOf(req);
      return success(app, await showUserWithConfig(deps, app, v1Token));
    },
    logOut: async ({ req }) => {
      const { app, v1Token, ip } = v1CallOf(req);
      await signOutOfV1(deps, v1Token, ip);
      return success(app, {});
    },
    forgotPassword: async ({ req, body }) => {
      const call = callOf(req);
      await forgotPassword(deps, call, body.email);
      return success(call.app, {});
    },
    resetPassword: async ({ req, body }) => {
      const call = callOf(req);
      const { uid } = await resetPassword(deps, call, body);
      await recordV1Use(deps, call.app, uid);
      return success(call.app, {});
    },
    delete: async ({ req }) => {
      const call = v1CallOf(req);
      await deleteAccount(deps, call, call.uid, (tx) => requireLiveV1Token(tx, call.v1Token));
      return success(call.app, {});
    },
  });
}

function success<T>(app: { slug: string }, data: T) {
  return { status: 200 as const, body: { success: true as const, app: app.slug, data } };
}

export function v1ExchangeRoutes(deps: Deps) {
  return initServer().router(contract.v1Exchange, {
    exchange: async ({ req, res, body }) => {
      const { answer, deviceToken } = await exchangeV1Token(deps, callOf(req), body.v1_token);
      res.setHeader('X-Device-Token', deviceToken);
      return ok(answer);
    },
  });
}

export function migrationRoutes(deps: Deps) {
  return initServer().router(contract.migration, {
    get: async ({ req }) => {
      // Read again: the app that the guard has cached may be a few seconds old.
      return ok(await migrationFigures(deps, await deps.apps.fresh(callOf(req).app.id)));
    },
  });
}
