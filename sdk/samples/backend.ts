// Code samples of the API reference for backends, by operation: the body of each function is shown with its operation.
// biome-ignore-all lint/correctness/noUnusedVariables: the reader's own code uses the results.
import type { Admin } from '../src/admin/index.js';
import { accessToken, etag, parameters } from './given.js';

export const backendSamples = {
  'pushMessages.send': async (foyer: Admin) => {
    await foyer.push.send({
      topic: 'news',
      notification: { title: 'Your table is ready', body: 'We keep it for 15 minutes.' },
    });
  },
  'pushMessages.list': async (foyer: Admin) => {
    const { items } = await foyer.push.messages();
  },
  'pushMessages.get': async (foyer: Admin) => {
    const message = await foyer.push.message('01JC4Q7M0RZ9X2V5T8W3Y6K1NB');
  },
  'pushMessages.cancel': async (foyer: Admin) => {
    await foyer.push.cancel('01JC4Q7M0RZ9X2V5T8W3Y6K1NB');
  },
  'pushMessages.topics': async (foyer: Admin) => {
    const { items } = await foyer.push.topics({ prefix: 'new' });
  },
  'pushMessages.receipts': async (foyer: Admin) => {
    const { items } = await foyer.push.receipts('01JC4Q7M0RZ9X2V5T8W3Y6K1NB');
  },
  'pushMessages.devices': async (foyer: Admin) => {
    const { items } = await foyer.users.devices('01JC4Q7M0RZ9X2V5T8W3Y6K1NB');
  },
  'tokenVerification.verify': async (foyer: Admin) => {
    const verdict = await foyer.tokens.verify(accessToken);
    if (verdict.active) console.log(verdict.uid);
  },
  'tokens.keySet': async (foyer: Admin) => {
    // Fetches the key set every five minutes and verifies offline.
    const { uid, claims } = await foyer.verifyAccessToken(accessToken);
  },
  'allFiles.list': async (foyer: Admin) => {
    const { items } = await foyer.files.list({ visibility: 'public' });
  },
  'apps.getSettings': async (foyer: Admin) => {
    const settings = await foyer.settings.get();
  },
  'apps.updateSettings': async (foyer: Admin) => {
    await foyer.settings.update({ refuse_common_passwords: true, mail: { from_name: 'Example' } });
  },
  'migration.get': async (foyer: Admin) => {
    const { v1_active_users_30d } = await foyer.migration.get();
  },
  'audit.list': async (foyer: Admin) => {
    for await (const entry of foyer.auditLog.list({ action: 'user.sign_in_failed' })) console.log(entry);
  },
  'loyaltyEntries.status': async (foyer: Admin) => {
    const { points, tier } = await foyer.loyalty.status('01JC4Q7M0RZ9X2V5T8W3Y6K1NB');
  },
  'loyaltyEntries.add': async (foyer: Admin) => {
    await foyer.loyalty.add('01JC4Q7M0RZ9X2V5T8W3Y6K1NB', {
      points: 250,
      description: 'Order 4711',
      reference: 'order-4711',
    });
  },
  'loyaltyEntries.list': async (foyer: Admin) => {
    const { items } = await foyer.loyalty.entries('01JC4Q7M0RZ9X2V5T8W3Y6K1NB');
  },
  'configVersions.current': async (foyer: Admin) => {
    const { parameters, etag } = await foyer.config.get();
  },
  'configVersions.replace': async (foyer: Admin) => {
    const banner = { type: 'string' as const, value: 'Points count double today' };
    await foyer.config.replace({ ...parameters, banner }, { ifMatch: etag });
  },
  'appFiles.read': async (foyer: Admin) => {
    const { files, versions } = await foyer.appFiles.read();
  },
  'appFiles.apply': async (foyer: Admin) => {
    const { versions } = await foyer.appFiles.read();
    await foyer.appFiles.apply({ version: versions.collections, collections: [] });
  },
  'settingsChecks.previewMail': async (foyer: Admin) => {
    const { subject, html } = await foyer.settings.previewMail({ purpose: 'sign_in', language: 'de' });
  },
  'settingsChecks.checkProvider': async (foyer: Admin) => {
    const { ok, steps } = await foyer.settings.checkProvider('provider-b');
  },
  'settingsChecks.checkPasskeys': async (foyer: Admin) => {
    const { ok, steps } = await foyer.settings.checkPasskeys();
  },
  'stats.daily': async (foyer: Admin) => {
    const { days } = await foyer.stats.daily({ from: '2026-01-01', to: '2026-01-31' });
  },
  'configVersions.list': async (foyer: Admin) => {
    const { items } = await foyer.config.versions();
  },
  'configVersions.get': async (foyer: Admin) => {
    const { parameters } = await foyer.config.version(6);
  },
  'configVersions.rollback': async (foyer: Admin) => {
    await foyer.config.rollback(6);
  },
  'users.list': async (foyer: Admin) => {
    for await (const user of foyer.users.list({ q: 'ada' })) console.log(user.email);
  },
  'users.create': async (foyer: Admin) => {
    const user = await foyer.users.create({ email: 'ada@example.com', first_name: 'Ada' });
  },
  'users.import': async (foyer: Admin) => {
    const { created, failed } = await foyer.users.import([
      { email: 'ada@example.com', email_verified: true },
    ]);
  },
  'users.get': async (foyer: Admin) => {
    const user = await foyer.users.get('01JC4Q7M0RZ9X2V5T8W3Y6K1NB');
  },
  'users.update': async (foyer: Admin) => {
    await foyer.users.update('01JC4Q7M0RZ9X2V5T8W3Y6K1NB', { disabled: true });
  },
  'users.delete': async (foyer: Admin) => {
    await foyer.users.delete('01JC4Q7M0RZ9X2V5T8W3Y6K1NB');
  },
  'users.setClaims': async (foyer: Admin) => {
    await foyer.users.setClaims('01JC4Q7M0RZ9X2V5T8W3Y6K1NB', { role: 'editor' });
  },
  'users.revokeSessions': async (foyer: Admin) => {
    await foyer.users.revokeSessions('01JC4Q7M0RZ9X2V5T8W3Y6K1NB');
  },
  'users.sessions': async (foyer: Admin) => {
    const { items } = await foyer.users.sessions('01JC4Q7M0RZ9X2V5T8W3Y6K1NB');
  },
  'users.endSession': async (foyer: Admin) => {
    await foyer.users.endSession('01JC4Q7M0RZ9X2V5T8W3Y6K1NB', '01JC4Q7M0RZ9X2V5T8W3Y6K1NB');
  },
  'users.identities': async (foyer: Admin) => {
    const { items } = await foyer.users.identities('01JC4Q7M0RZ9X2V5T8W3Y6K1NB');
  },
  'users.factors': async (foyer: Admin) => {
    const { totp, recovery_codes_left } = await foyer.users.factors('01JC4Q7M0RZ9X2V5T8W3Y6K1NB');
  },
  'users.removeFactors': async (foyer: Admin) => {
    await foyer.users.removeFactors('01JC4Q7M0RZ9X2V5T8W3Y6K1NB');
  },
  'users.passkeys': async (foyer: Admin) => {
    const { items } = await foyer.users.passkeys('01JC4Q7M0RZ9X2V5T8W3Y6K1NB');
  },
  'users.removePasskey': async (foyer: Admin) => {
    await foyer.users.removePasskey('01JC4Q7M0RZ9X2V5T8W3Y6K1NB', '01JC4Q7M0RZ9X2V5T8W3Y6K1NC');
  },
  'userExport.requestOfUser': async (foyer: Admin) => {
    const { status } = await foyer.users.requestExport('01JC4Q7M0RZ9X2V5T8W3Y6K1NB');
  },
  'userExport.getOfUser': async (foyer: Admin) => {
    const { status, file_id } = await foyer.users.export('01JC4Q7M0RZ9X2V5T8W3Y6K1NB');
  },
  'support.signInState': async (foyer: Admin) => {
    const { limits, last_failure } = await foyer.support.signInState('01JC4Q7M0RZ9X2V5T8W3Y6K1NB');
  },
  'support.liftLimits': async (foyer: Admin) => {
    await foyer.support.liftLimits('01JC4Q7M0RZ9X2V5T8W3Y6K1NB');
  },
  'support.sendCode': async (foyer: Admin) => {
    await foyer.support.sendCode('01JC4Q7M0RZ9X2V5T8W3Y6K1NB', 'sign_in');
  },
  'support.addNote': async (foyer: Admin) => {
    await foyer.support.addNote('01JC4Q7M0RZ9X2V5T8W3Y6K1NB', 'Called: the mails went to spam.');
  },
  'support.notes': async (foyer: Admin) => {
    const { items } = await foyer.support.notes('01JC4Q7M0RZ9X2V5T8W3Y6K1NB');
  },
  'webhooks.list': async (foyer: Admin) => {
    const { items } = await foyer.webhooks.list();
  },
  'webhooks.create': async (foyer: Admin) => {
    const { id, secret } = await foyer.webhooks.create({
      url: 'https://backend.example.com/webhooks/foyer',
      types: ['user.created', 'user.deleted'],
    });
  },
  'webhooks.get': async (foyer: Admin) => {
    const webhook = await foyer.webhooks.get('01JC4Q7M0RZ9X2V5T8W3Y6K1NB');
  },
  'webhooks.update': async (foyer: Admin) => {
    await foyer.webhooks.update('01JC4Q7M0RZ9X2V5T8W3Y6K1NB', { enabled: false });
  },
  'webhooks.delete': async (foyer: Admin) => {
    await foyer.webhooks.delete('01JC4Q7M0RZ9X2V5T8W3Y6K1NB');
  },
  'webhooks.rotateSecret': async (foyer: Admin) => {
    const { secret } = await foyer.webhooks.rotateSecret('01JC4Q7M0RZ9X2V5T8W3Y6K1NB');
  },
  'webhooks.test': async (foyer: Admin) => {
    const delivery = await foyer.webhooks.test('01JC4Q7M0RZ9X2V5T8W3Y6K1NB');
  },
  'webhooks.listDeliveries': async (foyer: Admin) => {
    const { items } = await foyer.webhooks.deliveries('01JC4Q7M0RZ9X2V5T8W3Y6K1NB', { status: 'failed' });
  },
  'webhooks.getDelivery': async (foyer: Admin) => {
    const { request, response_body } = await foyer.webhooks.delivery(
      '01JC4Q7M0RZ9X2V5T8W3Y6K1NB',
      '01JC4Q7M0RZ9X2V5T8W3Y6K1NB',
    );
  },
  'webhooks.retryDelivery': async (foyer: Admin) => {
    await foyer.webhooks.retryDelivery('01JC4Q7M0RZ9X2V5T8W3Y6K1NB', '01JC4Q7M0RZ9X2V5T8W3Y6K1NB');
  },
  'webhooks.replay': async (foyer: Admin) => {
    await foyer.webhooks.replay('01JC4Q7M0RZ9X2V5T8W3Y6K1NB', { since: '2026-01-02T00:00:00Z' });
  },
  'webhooks.listEvents': async (foyer: Admin) => {
    for await (const event of foyer.events.list({ type: 'user.created' })) console.log(event.data);
  },
  'collections.list': async (foyer: Admin) => {
    const { items } = await foyer.collections.list();
  },
  'collections.create': async (foyer: Admin) => {
    await foyer.collections.create({ name: 'notes', access_mode: 'owner', indexed_fields: ['created'] });
  },
  'collections.get': async (foyer: Admin) => {
    const { building_fields } = await foyer.collections.get('notes');
  },
  'collections.update': async (foyer: Admin) => {
    await foyer.collections.update('notes', { access_mode: 'shared' });
  },
  'collections.delete': async (foyer: Admin) => {
    await foyer.collections.delete('notes', { records: 'delete' });
  },
};
