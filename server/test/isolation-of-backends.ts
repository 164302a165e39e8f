// Attempts on the routes of an app's own backend with another app's keys: with our secret key, which does not match
// their app key, and with their own, which passes the guard and finds nothing of ours.
import { expect } from 'vitest';
import type { Sent } from './contract-routes.js';
import type { Answer } from './harness.js';
import {
  type Attempt,
  attempt,
  expectStatus,
  type IsolationScenario,
  idempotencyKey,
  ourBanner,
  ourDeepLink,
  receiverUrl,
} from './isolation-scenario.js';

export function backendAttempts({ service, ours, theirs }: IsolationScenario): Record<string, Attempt[]> {
  const withTheirKey = (sent: Sent, answered: Attempt['answered']) =>
    attempt({ token: theirs.app.secretKey, ...sent }, answered);
  const asBackend = (sent: Sent, answered: Attempt['answered']) => [
    ...[ours.app.secretKey, ours.user.tokens.access_token].map((token) =>
      attempt({ token, ...sent }, 'admin/invalid-secret-key'),
    ),
    withTheirKey(sent, answered),
  ];
  const ofOurUser = ({ params, ...sent }: Sent = {}) =>
    asBackend({ ...sent, params: { uid: ours.user.uid, ...params } }, 'auth/user-not-found');
  const ofOurWebhook = (sent: Sent = {}) => {
    const params = { id: ours.webhook.id, delivery_id: ours.webhook.deliveryId };
    return asBackend({ ...sent, params }, 'webhooks/not-found');
  };
  /** Their webhook with a delivery of ours. */
  const mixed = { id: theirs.webhook.id, delivery_id: ours.webhook.deliveryId };
  const ofOurDelivery = withTheirKey({ params: mixed }, 'webhooks/not-found');
  const ofOurMessage = () => asBackend({ params: { id: ours.messageId } }, 'push/message-not-found');
  const ofOurCollection = (sent: Sent = {}) =>
    asBackend({ ...sent, params: { name: 'notes' } }, 'data/collection-not-found');
  /** A non-empty list without our data (which the test checks in every answer). */
  const listing = (theirOwn: string) =>
    asBackend({}, (answer) => {
      expect(answer.status).toBe(200);
      expect(answer.text).toContain(theirOwn);
    });
  const expectWithout = (ofOurs: string) => (answer: Answer) => {
    expect(answer.status).toBe(200);
    expect(answer.text).not.toContain(ofOurs);
  };
  const always = { 'if-match': '*' };
  const hello = { data: { text: 'hello' } };
  const ourVersion = '5';

  return {
    'users.list': listing(theirs.user.uid),
    'users.create': [
      ...asBackend(
        { body: { email: ours.user.email.replace('@', '+theirs@'), member_id: ours.memberId } },
        expectStatus(201),
      ),
      // An idempotency key that our backend used is new in their app.
      withTheirKey(
        { headers: { 'idempotency-key': idempotencyKey }, body: { email: 'made@example.com' } },
        (answer) => {
          expect(answer.status).toBe(201);
          expect(answer.headers.get('idempotent-replayed')).toBeNull();
        },
      ),
    ],
    'users.import': asBackend({ body: { users: [{ email: ours.user.email }] } }, (answer) =>
      // The first route of this loop created an account there with that email.
      expect(answer.json.data.failed).toMatchObject([{ index: 0 }]),
    ),
    'users.get': ofOurUser(),
    'users.update': ofOurUser({ body: { first_name: 'Mallory', disabled: true } }),
    'users.delete': ofOurUser(),
    'users.setClaims': ofOurUser({ body: { claims: { role: 'admin' } } }),
    'users.revokeSessions': ofOurUser(),
    'users.sessions': ofOurUser(),
    'users.endSession': [
      ...ofOurUser({ params: { id: ours.sessionId } }),
      // Their user with a session of ours.
      withTheirKey({ params: { uid: theirs.user.uid, id: ours.sessionId } }, 'auth/session-not-found'),
    ],
    'users.identities': ofOurUser(),
    'users.factors': ofOurUser(),
    'users.removeFactors': ofOurUser(),
    'users.passkeys': ofOurUser(),
    'users.removePasskey': [
      ...ofOurUser({ params: { id: ours.passkey.id } }),
      // Their user with a passkey of ours.
      withTheirKey({ params: { uid: theirs.user.uid, id: ours.passkey.id } }, 'auth/passkey-not-found'),
    ],
    'support.signInState': ofOurUser(),
    'support.liftLimits': ofOurUser(),
    'support.sendCode': ofOurUser({ body: { purpose: 'sign_in' } }),
    'userExport.requestOfUser': ofOurUser(),
    'userExport.getOfUser': ofOurUser(),
    'support.addNote': ofOurUser({ body: { text: 'From another app' } }),
    'support.notes': ofOurUser(),
    'loyaltyEntries.status': ofOurUser(),
    'loyaltyEntries.add': ofOurUser({ body: { points: 5, description: 'From another app' } }),
    'loyaltyEntries.list': ofOurUser(),
    'tokenVerification.verify': asBackend(
      { body: { access_token: ours.user.tokens.access_token, check_revoked: false } },
      (answer) => expect(answer.json).toEqual({ data: { active: false, reason: 'auth/invalid-token' } }),
    ),
    'pushMessages.send': [
      ...asBackend({ body: { all: true, ...hello } }, expectStatus(202)),
      ...[{ device_ids: [ours.devices.free] }, { uids: [ours.user.uid] }].map((target) =>
        withTheirKey({ body: { ...target, ...hello, dry_run: true } }, (answer) =>
          expect(answer.json.data.target_count).toBe(0),
        ),
      ),
    ],
    'pushMessages.list': asBackend({}, (answer) => expect(answer.json.data.items.length).toBeGreaterThan(0)),
    'pushMessages.get': ofOurMessage(),
    'pushMessages.cancel': ofOurMessage(),
    'pushMessages.topics': asBackend({}, expectWithout('news')),
    'pushMessages.receipts': ofOurMessage(),
    'pushMessages.devices': ofOurUser(),
    'allFiles.list': listing(theirs.files.private.id),
    // Our app has a user of v1, and two of v2.
    'migration.get': asBackend({}, (answer) =>
      expect(answer.json.data).toMatchObject({
        v1_active_users_7d: 0,
        v1_active_users_30d: 0,
        v1_live_tokens: 0,
        v2_active_users_30d: 1,
      }),
    ),
    'apps.getSettings': asBackend({}, expectWithout(ourDeepLink)),
    'apps.updateSettings': asBackend({ body: { sign_up: 'open' } }, expectWithout(ourDeepLink)),
    'appFiles.read': asBackend({}, expectWithout(ourDeepLink)),
    'appFiles.apply': asBackend({ body: { version: 'old', webhooks: [] } }, 'admin/version-conflict'),
    'settingsChecks.previewMail': asBackend(
      { body: { purpose: 'sign_in' } },
      expectWithout(ourDeepLink.replace('https://', '')),
    ),
    // Ours has no key at provider B, and theirs has.
    'settingsChecks.checkPasskeys': asBackend({}, expectStatus(200)),
    'settingsChecks.checkProvider': asBackend({ body: { provider: 'provider-b' } }, (answer) =>
      expect(answer.json.data.ok).toBe(true),
    ),
    // Our app is the only one with a user of v1.
    'stats.daily': asBackend({}, (answer) =>
      expect(answer.json.data.days.at(-1)).toMatchObject({ v1_active_users: 0 }),
    ),
    'configVersions.current': asBackend({}, expectWithout(ourBanner)),
    'configVersions.replace': asBackend({ headers: always, body: { parameters: {} } }, (answer) =>
      expect(answer.json.data.version).toBe(2),
    ),
    'configVersions.list': asBackend({}, (answer) =>
      expect(answer.json.data.items.map(({ version }: { version: number }) => version)).toEqual([2, 1]),
    ),
    'configVersions.get': asBackend({ params: { version: ourVersion } }, 'config/version-not-found'),
    'configVersions.rollback': asBackend(
      { headers: always, body: { version: Number(ourVersion) } },
      'config/version-not-found',
    ),
    'webhooks.list': listing(theirs.webhook.id),
    'webhooks.create': asBackend({ body: { url: receiverUrl } }, expectStatus(201)),
    'webhooks.get': ofOurWebhook(),
    'webhooks.update': ofOurWebhook({ body: { enabled: false } }),
    'webhooks.delete': ofOurWebhook(),
    'webhooks.rotateSecret': ofOurWebhook(),
    'webhooks.test': ofOurWebhook(),
    'webhooks.listDeliveries': ofOurWebhook(),
    'webhooks.getDelivery': [...ofOurWebhook(), ofOurDelivery],
    'webhooks.retryDelivery': [...ofOurWebhook(), ofOurDelivery],
    'webhooks.replay': ofOurWebhook({ body: { since: '2026-01-01T00:00:00Z' } }),
    'webhooks.listEvents': listing(theirs.user.uid),
    'audit.list': listing(theirs.user.uid),
    'collections.list': asBackend({}, (answer) => expect(answer.json.data.items).toEqual([])),
    // The name of our collection is free there; it is deleted again, so that the following routes do not find it.
    'collections.create': asBackend({ body: { name: 'notes' } }, async (answer) => {
      expect(answer.status).toBe(201);
      const sent = { appKey: theirs.app.app.appKey, token: theirs.app.secretKey };
      expect((await service.call('DELETE', '/admin/collections/notes', sent)).status).toBe(204);
    }),
    'collections.get': ofOurCollection(),
    'collections.update': ofOurCollection({ body: { access_mode: 'shared' } }),
    'collections.delete': ofOurCollection(),
  };
}
