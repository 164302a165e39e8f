// `client.me`: the signed-in user's profile, account, identities and devices.
import type { Me, RepeatableCallOptions } from './api.js';
import {
  bodyOf,
  changePasswordNames,
  providerANames,
  providerBNames,
  updateNames,
} from './argument-names.js';
import { signOut } from './auth.js';
import { bearerOf } from './bearer.js';
import { call, callForUser } from './call.js';
import type { Core } from './core.js';
import type {
  CodeSent,
  Identity,
  LoyaltyEntry,
  LoyaltyStatus,
  PageQuery,
  SessionInfo,
} from './generated/models.js';
import type { Route } from './generated/routes.js';
import type { Page } from './models.js';
import { createPageList } from './page-list.js';

const proofNames = { 'provider-a': providerANames, 'provider-b': providerBNames };

export function createMe(core: Core): Me {
  const list =
    <T>(route: Route) =>
    (query?: PageQuery, options?: RepeatableCallOptions) =>
      createPageList((page) => call<Page<T>>(core, route, { query: page }, options), query);
  const identities = list<Identity>('GET /me/identities');

  return {
    get: (options) => callForUser(core, 'GET /me', undefined, options),
    update: async (patch, options) => callForUser(core, 'PATCH /me', bodyOf(patch, updateNames), options),
    async delete(options) {
      const { session } = await bearerOf(core, options);
      await call<void>(core, 'DELETE /me', {}, options);
      // Another user may have signed in meanwhile. A token left in the storage is harmless, because it is revoked.
      if (core.active?.uid === session.uid) await signOut(core, 'deleted').catch(() => {});
    },
    // Not retried: after a lost response, `currentPassword` would no longer match.
    changePassword: async (change, options) => {
      const body = bodyOf(change, changePasswordNames);
      return call<void>(core, 'PUT /me/password', { body }, { ...options, maxRetries: 0 });
    },
    changeEmail: (email, options) => call<CodeSent>(core, 'POST /me/email', { body: { email } }, options),
    identities: (options) => identities(undefined, options),
    linkIdentity: async (provider, proof, options) =>
      call<Identity>(
        core,
        'POST /me/identities/:provider',
        { params: { provider }, body: bodyOf(proof, proofNames[provider]) },
        options,
      ),
    unlinkIdentity: (provider, options) =>
      call<void>(core, 'DELETE /me/identities/:provider', { params: { provider } }, options),
    loyalty: (options) => call<LoyaltyStatus>(core, 'GET /me/loyalty', {}, options),
    loyaltyHistory: list<LoyaltyEntry>('GET /me/loyalty/history'),
    sessions: list<SessionInfo>('GET /me/sessions'),
    endSession: (id, options) => call<void>(core, 'DELETE /me/sessions/:id', { params: { id } }, options),
  };
}
