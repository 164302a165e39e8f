// Calls of an app's backend and its users' devices with secrets that no log may contain: messages and their tokens,
// files and their signed URLs, records, admin users, config, loyalty, webhooks and secret keys; valid, refused and
// failing calls.
import { createSecretKey, revokeSecretKey } from '../src/apps/secret-keys.js';
import { byCommandLine } from '../src/model/actor.js';
import type { Answer, TestService } from './harness.js';
import type { PushProviders } from './push-providers.js';
import { startReceiver } from './webhook-scenario.js';

export type Telling = {
  service: TestService;
  call(...given: Parameters<TestService['call']>): Promise<Answer>;
  /** Values that no line may contain, by description. */
  secrets: Map<string, string>;
  /** Sent in every free-text field. */
  marker: string;
};

type Call = Telling['call'];

export async function sendBackendSecrets(telling: Telling, providers: PushProviders): Promise<void> {
  const { service, secrets } = telling;
  const backend: Call = (method, path, options) =>
    telling.call(method, path, { token: service.app.secretKey, ...options });
  const email = 'leaked-of-backend@example.com';
  secrets.set('an email of the backend', 'leaked-of-backend');
  const password = 'leaked password of a device';
  const body = { email: 'leaked-of-device@example.com', password };
  const { access_token: token } = (await telling.call('POST', '/auth/sign-up', { body })).json.data;
  secrets.set('an email of a device', 'leaked-of-device');
  await sendUsers(telling, backend, email);
  await sendConfigAndData(telling, backend, token);
  await sendFiles(telling, backend, token);
  await sendPush(telling, backend, token, providers);
  await sendDeliveries(telling, backend);
  await sendSecretKeys(telling);
}

async function sendUsers({ marker, secrets }: Telling, backend: Call, email: string): Promise<void> {
  const password = 'leaked password of the backend';
  const headers = { 'idempotency-key': marker };
  const body = { email, password, first_name: marker, claims: { role: marker } };
  const made = await backend('POST', '/admin/users', { headers, body });
  await backend('POST', '/admin/users', { headers, body });
  await backend('POST', '/admin/users', { headers, body: { ...body, last_name: marker } });
  await backend('POST', '/admin/users', { body });
  const at = `/admin/users/${made.json.data.uid}`;
  await backend('GET', `/admin/users?q=leaked-of&email=${email}`);
  await backend('GET', `/admin/users?email=${marker}&cursor=${marker}`);
  await backend('PATCH', at, { body: { email: `changed-${email}`, password: `${password} anew` } });
  await backend('PATCH', at, { body: { [marker]: marker, photo_url: marker } });
  await backend('PUT', `${at}/claims`, { body: { claims: { [marker]: marker } } });
  await backend('PUT', `${at}/claims`, { body: { claims: { big: marker.repeat(100) } } });
  await backend('POST', '/admin/users/import', {
    body: { users: [{ email: `imported-${email}`, first_name: marker }, { email: marker }] },
  });
  await backend('POST', '/admin/users/import', { body: { users: [{ email, password_hash: marker }] } });
  await backend('POST', '/admin/tokens/verify', { body: { access_token: marker } });
  await backend('GET', `${at}/sessions`);
  const entry = { points: 7, description: marker, reference: marker };
  await backend('POST', `${at}/loyalty/entries`, { body: entry });
  await backend('POST', `${at}/loyalty/entries`, { body: { ...entry, points: 8 } });
  await backend('POST', `${at}/loyalty/entries`, { body: { points: -100, description: marker } });
  await backend('DELETE', at);
  secrets.set('a password of the backend', 'leaked password of');
}

async function sendConfigAndData({ call, marker }: Telling, backend: Call, token: string): Promise<void> {
  const headers = { 'if-match': '*' };
  const banner = { type: 'string', value: marker, description: marker };
  await backend('PUT', '/admin/config', { headers, body: { parameters: { banner } } });
  await backend('PUT', '/admin/config', { body: { parameters: { banner } } });
  await backend('PUT', '/admin/config', { headers: { 'if-match': `"${marker}"` }, body: { parameters: {} } });
  await backend('PUT', '/admin/config', {
    headers,
    body: { parameters: { banner: { type: marker, value: 1 } } },
  });
  await call('GET', `/config?${marker}`, { headers: { 'if-none-match': `"${marker}"` } });

  const declared = { name: 'journal', access_mode: 'owner', indexed_fields: ['text'] };
  await backend('POST', '/admin/collections', { body: declared });
  const fields = { text: marker, nested: { [marker]: marker } };
  for (const send of [backend, call]) {
    const signedIn = send === call ? { token } : {};
    await send('POST', '/data/journal', { ...signedIn, body: { fields } });
    await send('PUT', `/data/journal/${marker}`, { ...signedIn, body: { fields } });
    await send('PATCH', `/data/journal/${marker}`, {
      ...signedIn,
      body: { fields: { text: `${marker} 2` } },
    });
    await send('PUT', `/data/journal/${marker}`, {
      ...signedIn,
      body: `{"fields":{"${marker}":1e999,"text":"${marker}"}}`,
    });
    const where = [{ field: 'text', op: '==', value: marker }];
    await send('POST', '/data/journal/query', { ...signedIn, body: { where } });
    await send('POST', '/data/journal/query', {
      ...signedIn,
      body: { where: [{ field: marker, op: marker }] },
    });
    await send('GET', `/data/${marker}/${marker}?${marker}`, signedIn);
  }
}

async function sendFiles({ call, marker, secrets }: Telling, backend: Call, token: string): Promise<void> {
  const formOf = (bytes: string, fields: Record<string, string> = {}) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    form.append('file', new Blob([bytes], { type: 'application/json' }), `${marker}.json`);
    return form;
  };
  // The harness reads JSON, and these bytes are JSON too.
  const uploaded = await call('POST', '/files', { token, form: formOf(`"${marker}"`) });
  await call('POST', '/files', { token, form: formOf(marker, { visibility: marker }) });
  await call('POST', '/files', { body: marker, token, headers: { 'content-type': `multipart/${marker}` } });
  await backend('POST', '/files', { form: formOf(marker, { [marker]: marker }) });
  const at = `/files/${uploaded.json.data.id}`;
  const { url } = (await call('GET', `${at}/url?expires_in=60`, { token })).json.data as { url: string };
  const address = url.replace(/^.*\/api\/v2/, '');
  secrets.set('the signature of an address', new URL(url).searchParams.get('signature') as string);
  await call('GET', address, { appKey: null });
  await call('GET', `${address}${marker}`, { appKey: null });
  await call('GET', address, { appKey: null, headers: { range: 'bytes=1000-' } });
  await call('DELETE', at, { token });
  await call('GET', address, { appKey: null });
}

async function sendPush(
  { service, call, marker, secrets }: Telling,
  backend: Call,
  token: string,
  providers: PushProviders,
): Promise<void> {
  const register = (body: object, sent?: string) => call('POST', '/push/devices', { token: sent, body });
  const fcm = { provider: 'fcm', platform: 'android', token: 'leaked-fcm-token-0123456789' };
  const apns = { provider: 'apns', platform: 'ios', token: 'deadbeef'.repeat(8) };
  const web = { provider: 'webpush', platform: 'web', ...providers.web.subscription() };
  const named = { name: marker, locale: 'de-AT', app_version: marker };
  const device = await register({ ...fcm, ...named }, token);
  await register({ ...apns, environment: 'production' });
  await register(web);
  await register({ ...apns, token: marker });
  await register({ ...web, token: `https://10.0.0.1/${marker}` });
  const at = `/push/devices/${device.json.data.id}`;
  await call('PUT', `${at}/topics/${marker}`, { token });
  await call('PUT', `${at}/topics/${marker}%20`, { token });
  // Each provider breaks the connection once, which is logged, and then refuses.
  const refusal = { status: 400, body: { error: { message: marker, status: marker } } };
  for (const [provider, sent] of [
    [providers.fcm, fcm.token],
    [providers.apns, apns.token],
    [providers.web, web.token],
  ] as const) {
    provider.says(sent, null, refusal);
  }
  const notification = { title: marker, body: marker };
  await backend('POST', '/admin/push/send', { body: { all: true, notification, data: { a: marker } } });
  await backend('POST', '/admin/push/send', { body: { topic: marker, notification } });
  await backend('POST', '/admin/push/send', { body: { [marker]: marker, uids: [marker] } });
  await service.advance(0);
  await service.advance(600_000);
  await backend('GET', '/admin/push/messages');

  const settings = (push: object) => backend('PATCH', '/admin/settings', { body: { push } });
  await settings({ fcm: { service_account: `{"private_key":"${marker}"}` } });
  await settings({ fcm: { service_account: marker } });
  await settings({ apns: { private_key: marker, key_id: marker } });
  const { private_key: fcmKey } = JSON.parse(providers.fcm.serviceAccount) as { private_key: string };
  secrets.set('a token of FCM', fcm.token);
  secrets.set('an access token of FCM', 'ya29.');
  secrets.set('a token of APNs', apns.token);
  secrets.set('an endpoint of Web Push', new URL(web.token).pathname);
  secrets.set('the secret of a subscription', web.keys.auth);
  secrets.set('the key of a subscription', web.keys.p256dh);
  secrets.set('the key of a service account', lineOf(fcmKey));
  secrets.set('the key at APNs', lineOf(providers.apns.privateKey));
}

/** The second line of a PEM, which is unique to the key and not escaped in JSON. */
function lineOf(pem: string): string {
  return pem.split('\n')[2] as string;
}

async function sendDeliveries({ service, marker, secrets }: Telling, backend: Call): Promise<void> {
  const receiver = await startReceiver();
  const body = { url: `${receiver.url}/${marker}?${marker}=1`, description: marker };
  const made = await backend('POST', '/admin/webhooks', { body });
  const { id, secret } = made.json.data;
  secrets.set('the secret of a webhook', secret.slice('whsec_'.length));
  receiver.answer((_req, res) => res.writeHead(500).end(marker));
  await backend('POST', `/admin/webhooks/${id}/test`);
  receiver.answer((_req, res) => res.destroy());
  await service.advance(60_000);
  await receiver.stop();
  await service.advance(600_000);
  await backend('PATCH', `/admin/webhooks/${id}`, { body: { url: `https://${marker}.invalid/` } });
  await backend('GET', `/admin/webhooks/${id}/deliveries`);
  await backend('DELETE', `/admin/webhooks/${id}`);
  for (const { headers } of receiver.received) {
    secrets.set('a signature of a webhook', (headers['webhook-signature'] as string).split(',')[1] as string);
  }
}

async function sendSecretKeys({ service, call, marker, secrets }: Telling): Promise<void> {
  const appId = service.app.app.id;
  const given = { name: 'of a scenario', scopes: ['users:read' as const], expiresAt: null };
  const { key, secretKey } = await createSecretKey(service.deps, byCommandLine(appId), given);
  secrets.set('a secret key made later', secretKey.slice('sk_'.length));
  const list = (more: object = {}) => call('GET', '/admin/users', { token: secretKey, ...more });
  await list();
  await list({ headers: { origin: `https://${marker}.example` } });
  await call('GET', '/admin/settings', { token: secretKey });
  await call('GET', '/me', { token: secretKey });
  await call('GET', '/me', { appKey: secretKey });
  await revokeSecretKey(service.deps, byCommandLine(appId), key.id);
  await list();
  await call('GET', '/admin/users', { token: `sk_${marker}` });
}
