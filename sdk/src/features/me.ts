// `client.me`: the signed-in user's profile, account, identities and devices.
import type { Me, RepeatableCallOptions } from '../api.js';
import type {
  CodeSent,
  Identity,
  LoyaltyEntry,
  LoyaltyStatus,
  PageQuery,
  SessionInfo,
} from '../generated/models.js';
import type { Route } from '../generated/routes.js';
import type { Page } from '../models.js';
import { bearerOf } from '../session/bearer.js';
import { call, callForUser } from '../session/call.js';
import type { Core } from '../session/core.js';
import { uidOf } from '../session/restore.js';
import { signOut } from './auth.js';
import { createPageList } from './page-list.js';

export function createMe(core: Core): Me {
  const list =
    <T>(route: Route) =>
    (query?: PageQuery, options?: RepeatableCallOptions) =>
      createPageList(
        (page) => call<Page<T>>(core, route, { query: page }, options),
        query,
        () => uidOf(core),
      );
  const identities = list<Identity>('GET /me/identities');

  return {
    get: (options) => callForUser(core, 'GET /me', undefined, options),
    update: (patch, options) => callForUser(core, 'PATCH /me', patch, options),
    async delete(options) {
      const { session } = await bearerOf(core, options);
      await call<void>(core, 'DELETE /me', {}, options);
      // Another user may have signed in meanwhile. A token left in the storage is harmless, because it is revoked.
      if (core.active?.uid === session.uid) await signOut(core, 'deleted').catch(() => {});
    },
    // This is not retried: after a lost response, `current_password` would no longer match.
    changePassword: (body, options) =>
      call<void>(core, 'PUT /me/password', { body }, { ...options, maxRetries: 0 }),
    changeEmail: (email, options) => call<CodeSent>(core, 'POST /me/email', { body: { email } }, options),
    identities: (options) => identities(undefined, options),
    linkIdentity: (provider, body, options) =>
      call<Identity>(core, 'POST /me/identities/:provider', { params: { provider }, body }, options),
    unlinkIdentity: (provider, options) =>
      call<void>(core, 'DELETE /me/identities/:provider', { params: { provider } }, options),
    loyalty: (options) => call<LoyaltyStatus>(core, 'GET /me/loyalty', {}, options),
    loyaltyHistory: list<LoyaltyEntry>('GET /me/loyalty/history'),
    sessions: list<SessionInfo>('GET /me/sessions'),
    endSession: (id, options) => call<void>(core, 'DELETE /me/sessions/:id', { params: { id } }, options),
  };
}
