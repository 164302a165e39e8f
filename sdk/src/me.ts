// `client.me`: the signed-in user's profile, account, identities and devices.
import type { Me } from './api.js';
import {
  bodyOf,
  changePasswordNames,
  providerANames,
  providerBNames,
  updateNames,
} from './argument-names.js';
import type { Call } from './call.js';
import type {
  CodeSent,
  Identity,
  LoyaltyEntry,
  LoyaltyStatus,
  SessionInfo,
  User,
} from './generated/models.js';
import type { Page } from './models.js';
import { createPageList } from './page-list.js';
import type { SessionStore } from './session-store.js';

const proofNames = { 'provider-a': providerANames, 'provider-b': providerBNames };

export function createMe(call: Call, sessionStore: SessionStore): Me {
  async function withMerge(answer: Promise<User>): Promise<User> {
    const user = await answer;
    sessionStore.merge({ user });
    return user;
  }

  return {
    get: (options) => withMerge(call<User>('GET /me', {}, options)),
    update: async (patch, options) =>
      withMerge(call<User>('PATCH /me', { body: bodyOf(patch, updateNames) }, options)),
    async delete(options = {}) {
      const { session } = await sessionStore.bearer({ signal: options.signal });
      await call<void>('DELETE /me', {}, options);
      const state = await sessionStore.ready();
      // Another user may have signed in meanwhile. A token left in the storage is harmless, because it is revoked.
      if (state.status === 'signedIn' && state.uid === session.uid) await sessionStore.signOut('deleted');
    },
    // Not retried: after a lost response, `currentPassword` would no longer match.
    changePassword: async (change, options) => {
      const body = bodyOf(change, changePasswordNames);
      return call<void>('PUT /me/password', { body }, { ...options, maxRetries: 0 });
    },
    changeEmail: (email, options) => call<CodeSent>('POST /me/email', { body: { email } }, options),
    identities: (options) =>
      createPageList((page) => call<Page<Identity>>('GET /me/identities', { query: page }, options)),
    linkIdentity: async (provider, proof, options) =>
      call<Identity>(
        'POST /me/identities/:provider',
        { params: { provider }, body: bodyOf(proof, proofNames[provider]) },
        options,
      ),
    unlinkIdentity: (provider, options) =>
      call<void>('DELETE /me/identities/:provider', { params: { provider } }, options),
    loyalty: (options) => call<LoyaltyStatus>('GET /me/loyalty', {}, options),
    loyaltyHistory: (query, options) =>
      createPageList(
        (page) => call<Page<LoyaltyEntry>>('GET /me/loyalty/history', { query: page }, options),
        query,
      ),
    sessions: (query, options) =>
      createPageList((page) => call<Page<SessionInfo>>('GET /me/sessions', { query: page }, options), query),
    endSession: (id, options) => call<void>('DELETE /me/sessions/:id', { params: { id } }, options),
  };
}
