// App settings over HTTP, and the rules of their schema.
import type { KeyPairKeyObjectResult } from 'node:crypto';
import { type AppSettings, AppSettingsPatch } from '@foyer/contract';
import { expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { testService } from '../../test/harness.js';
import { ecKeyPair, rsaKeyPair } from '../../test/key-pairs.js';
import { expectRefusal } from '../../test/refusal.js';
import { shared } from '../../test/shared.js';
import { storeUnread } from '../../test/stored-key.js';
import { teamScenario } from '../../test/team-scenario.js';
import { readAppSecret } from '../apps/app-secrets.js';

const service = shared(() => testService());

const get = (secretKey: string, options: { appKey?: string; headers?: Record<string, string> } = {}) =>
  service.call('GET', '/admin/settings', { token: secretKey, ...options });
const patch = (body: unknown, secretKey = service.app.secretKey, appKey?: string) =>
  service.call('PATCH', '/admin/settings', { token: secretKey, body, ...(appKey && { appKey }) });

const pemOf = ({ privateKey }: KeyPairKeyObjectResult) =>
  privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const privateKey = pemOf(ecKeyPair());

test('an app without settings has the documented defaults', async () => {
  const { app, secretKey } = await service.newApp();
  const answer = await get(secretKey, { appKey: app.appKey });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.data).toEqual({
    access_token_seconds: 3600,
    token_algorithm: 'ES256',
    recent_sign_in_minutes: 5,
    refuse_common_passwords: false,
    new_device_notice: false,
    providers: {},
    redirect_uris: [],
    passkeys: null,
    second_factor: 'off',
    deep_link: null,
    allowed_origins: [],
    sign_up: 'open',
    tiers: [{ tier: 'member', min_points: 0 }],
    push: {
      fcm: { project_id: null, service_account_set: false, service_account_fault: null },
      apns: {
        key_id: null,
        team_id: null,
        bundle_id: null,
        private_key_set: false,
        private_key_fault: null,
      },
      web_push: { subject: null, public_key: null },
    },
    rate_limits: { sign_in: 1, codes: 1, refresh: 1, client: 1, backend: 1 },
    mail: {
      from_name: null,
      reply_to: null,
      branding: { logo_url: null, accent_color: null, button: null, footer: null },
      texts: {},
    },
    files: { max_bytes: 26_214_400, user_quota_bytes: 524_288_000, allowed_types: null },
    limits: { sign_ups_per_hour: 1_000, mails_to_strangers_per_hour: 1_000 },
    data: { max_collections: 100, user_quota_bytes: 104_857_600 },
    provider_a: { client_ids: { web: [], ios: [], android: [] }, client_secret_set: false },
    provider_b: {
      services_ids: [],
      bundle_ids: [],
      team_id: null,
      key_id: null,
      private_key_set: false,
      private_key_fault: null,
    },
    v1_sunset_at: null,
    v1_deprecated_at: null,
  });
});

test('objects merge key by key, lists replace, null clears and removes an entry', async () => {
  const { app, secretKey } = await service.newApp();
  const change = (body: unknown) => patch(body, secretKey, app.appKey);
  await change({
    provider_a: { client_ids: { web: ['w'], ios: ['i', 'j'] } },
    allowed_origins: ['https://a.example'],
  });
  await change({
    rate_limits: { client: 0.5, backend: 2 },
    mail: {
      texts: {
        sign_in: {
          de: { subject: 'Guten Tag', text: 'Ihr Code', button: 'Anmelden' },
          fr: { subject: 'Bonjour', text: 'Votre code' },
        },
        reset: { de: { subject: 'Guten Tag', text: 'Ihr Code' } },
      },
    },
  });
  const answer = await change({
    provider_a: { client_ids: { ios: [], android: ['a'] } },
    allowed_origins: ['https://b.example'],
    rate_limits: { client: 1 },
    mail: { texts: { sign_in: { de: { subject: 'Hallo', text: 'Dein Code' }, fr: null } } },
  });
  expect(answer.data).toMatchObject({
    provider_a: { client_ids: { web: ['w'], ios: [], android: ['a'] } },
    allowed_origins: ['https://b.example'],
    rate_limits: { sign_in: 1, codes: 1, refresh: 1, client: 1, backend: 2 },
  });
  expect(answer).toHaveProperty('data.mail.texts', {
    sign_in: { de: { subject: 'Hallo', text: 'Dein Code' } },
    reset: { de: { subject: 'Guten Tag', text: 'Ihr Code' } },
  });
  expect((await get(secretKey, { appKey: app.appKey, headers: {} })).data).toEqual(answer.data);
});

test('each platform of a provider has a list of client ids; one string or null in its place is a list too', async () => {
  const { app, secretKey } = await service.newApp();
  const change = async (body: object) => {
    const { status, data } = await patch(body, secretKey, app.appKey);
    expect(status).toBe(200);
    const { provider_a, provider_b } = data as AppSettings;
    return [provider_a.client_ids, provider_b.services_ids, provider_b.bundle_ids];
  };
  const lists = { web: ['w', 'w2'], ios: ['i', 'i2'], android: [] };
  expect(
    await change({
      provider_a: { client_ids: { web: [' w ', 'w2', 'w\u200b'], ios: ['i', 'i2'] } },
      provider_b: { services_ids: ['s', 's2'], bundle_ids: ['b'] },
    }),
  ).toEqual([lists, ['s', 's2'], ['b']]);
  expect(
    await change({
      provider_a: { client_ids: { web: '\n w3\t', ios: null } },
      provider_b: { services_ids: null, bundle_ids: 'b2' },
    }),
  ).toEqual([{ web: ['w3'], ios: [], android: [] }, [], ['b2']]);
  // The former names.
  expect((await change({ provider_b: { services_id: 's3', bundle_id: null } })).slice(1)).toEqual([
    ['s3'],
    [],
  ]);
  expect((await change({ provider_b: { services_id: 'old', services_ids: ['new'] } }))[1]).toEqual(['new']);
});

test('an app whose settings an earlier version stored keeps its client ids, in lists', async () => {
  const { app, secretKey } = await service.newApp();
  const settings = {
    provider_a: { client_ids: { web: ' w', ios: null, android: 'a' } },
    provider_b: { services_id: 's\n', bundle_id: null, team_id: ' TEAM123456', key_id: null },
    push: { apns: { key_id: 'KEY1234567 ', team_id: null, bundle_id: null, private_key_set: false } },
    unproven_credentials: 'keep',
  };
  await service.deps.prisma.app.update({ where: { id: app.id }, data: { settings } });
  const expected = {
    provider_a: { client_ids: { web: ['w'], ios: [], android: ['a'] } },
    provider_b: {
      services_ids: ['s'],
      bundle_ids: [],
      team_id: 'TEAM123456',
      key_id: null,
      private_key_set: false,
      private_key_fault: null,
    },
    push: { apns: { key_id: 'KEY1234567' } },
  };
  const { data } = await get(secretKey, { appKey: app.appKey });
  expect(data).toMatchObject(expected);
  expect((data as AppSettings).provider_b).toEqual(expected.provider_b);
  // The first emailed code always removes unproven credentials.
  expect(data).not.toHaveProperty('unproven_credentials');
  await patch({ sign_up: 'closed' }, secretKey, app.appKey);
  const row = await service.deps.prisma.app.findUniqueOrThrow({ where: { id: app.id } });
  expect(row.settings).toMatchObject({ ...expected, sign_up: 'closed' });
});

test('a member changes credentials and how users sign in within five minutes of a sign-in only, other settings at any time', async () => {
  const { app, secretKey } = await service.newApp();
  const { token } = await (await teamScenario(() => service)).newMember(app.id, 'admin');
  const change = (body: object, by = token) => patch(body, by, app.appKey);
  const read = async () => (await get(secretKey, { appKey: app.appKey })).text;
  const credentials = [
    { provider_a: { client_ids: { web: ['web.client'] } } },
    { provider_b: { team_id: 'TEAM123456' } },
    { push: { web_push: { subject: 'mailto:push@example.com' } } },
    { deep_link: null, push: {} },
    { deep_link: 'https://app.example/sign-in' },
    { mail: { from_name: 'Another sender' } },
    { allowed_origins: [] },
    { recent_sign_in_minutes: 60 },
    { v1_sunset_at: '2030-01-01T00:00:00Z' },
  ];
  service.clock.advance(5 * 60_000);
  for (const body of credentials) expect((await change(body)).status).toBe(200);
  service.clock.advance(1);
  const before = await read();
  for (const body of credentials) expectRefusal(await change(body), 'auth/requires-recent-login');
  expect(await read()).toBe(before);
  expect((await change({ access_token_seconds: 900 })).status).toBe(200);
  // A secret key has no sign-in.
  for (const body of credentials) expect((await change(body, secretKey)).status).toBe(200);
});

const tiersAt = (...points: number[]) => points.map((at) => ({ tier: `tier ${at}`, min_points: at }));

test('fifty tiers, up to the maximum balance, replace the default tier', async () => {
  const { app, secretKey } = await service.newApp();
  const tiers = tiersAt(...Array.from({ length: 49 }, (_, place) => place), 1_000_000_000);
  const answer = await patch({ tiers }, secretKey, app.appKey);
  expect([answer.status, (answer.data as { tiers: unknown }).tiers]).toEqual([200, tiers]);
});

test('a private key is stored encrypted and never returned', async () => {
  const { app, secretKey } = await service.newApp();
  const set = await patch({ provider_b: { private_key: privateKey } }, secretKey, app.appKey);
  expect(set.data).toMatchObject({ provider_b: { private_key_set: true } });
  expect(set.text).not.toContain('PRIVATE KEY');
  const [row] = await service.deps.prisma.appSecret.findMany({ where: { appId: app.id } });
  expect(Buffer.from(row?.value ?? []).toString('latin1')).not.toContain('PRIVATE KEY');
  const cleared = await patch({ provider_b: { private_key: null } }, secretKey, app.appKey);
  expect(cleared.data).toMatchObject({ provider_b: { private_key_set: false } });
  expect(await service.deps.prisma.appSecret.count({ where: { appId: app.id } })).toBe(0);
});

test('access tokens are signed with the algorithm of the settings from the next one on', async () => {
  const { app, secretKey } = await service.newApp();
  const { appKey } = app;
  const algorithmOf = async () => {
    const { tokens } = await service.signUp({ appKey });
    return JSON.parse(Buffer.from(tokens.access_token.split('.', 1)[0] ?? '', 'base64url').toString()).alg;
  };
  expect(await algorithmOf()).toBe('ES256');
  expect((await patch({ token_algorithm: 'RS256' }, secretKey, appKey)).status).toBe(200);
  expect(await algorithmOf()).toBe('RS256');
});

const serviceAccount = (key: string) =>
  JSON.stringify({ project_id: 'project-1', client_email: 'push@example.com', private_key: key });

test.each<[string, object, string]>([
  [
    'of provider B',
    { provider_b: { private_key: privateKey.replaceAll('\n', '\\n') } },
    'provider_b.private_key',
  ],
  [
    'for APNs',
    { push: { apns: { private_key: privateKey.replaceAll('\n', '\r\n') } } },
    'push.apns.private_key',
  ],
])('a key %s is stored in its normal form, however it is entered', async (_what, body, name) => {
  const { app, secretKey } = await service.newApp();
  expect((await patch(body, secretKey, app.appKey)).status).toBe(200);
  expect((await readAppSecret(service.deps, app.id, name))?.toString()).toBe(privateKey);
});

test('a service account is stored in its normal form, as a text or as an object', async () => {
  const { app, secretKey } = await service.newApp();
  const account = serviceAccount(pemOf(rsaKeyPair('of a service account')));
  for (const service_account of [` ${account}\n`, { ...JSON.parse(account), type: 'service_account' }]) {
    const answer = await patch({ push: { fcm: { service_account } } }, secretKey, app.appKey);
    expect(answer.data).toMatchObject({
      push: { fcm: { project_id: 'project-1', service_account_set: true } },
    });
    expect((await readAppSecret(service.deps, app.id, 'push.fcm.service_account'))?.toString()).toBe(account);
  }
});

// One of each: pasted-key.test.ts has the tables.
test.each<[string, object, string, RegExp]>([
  [
    'an RSA key of provider B',
    { provider_b: { private_key: pemOf(rsaKeyPair('of a provider')) } },
    'provider_b.private_key',
    /RSA/,
  ],
  [
    'nonsense for APNs',
    { push: { apns: { private_key: 'x' } } },
    'push.apns.private_key',
    /^must be a private key/,
  ],
  [
    'a service account with an elliptic curve key',
    { push: { fcm: { service_account: serviceAccount(privateKey) } } },
    'push.fcm.service_account',
    /private_key that is an elliptic/,
  ],
])(
  '%s is refused with a sentence, and nothing of the patch is stored',
  async (_what, body, field, sentence) => {
    const { app, secretKey } = await service.newApp();
    const answer = await patch({ ...body, sign_up: 'closed' }, secretKey, app.appKey);
    expectRefusal(answer, 'request/validation-failed', { [field]: [expect.stringMatching(sentence)] });
    expect((await get(secretKey, { appKey: app.appKey })).data).toMatchObject({
      sign_up: 'open',
      provider_b: { private_key_set: false },
      push: { fcm: { project_id: null, service_account_set: false }, apns: { private_key_set: false } },
    });
    expect(await service.deps.prisma.appSecret.count({ where: { appId: app.id } })).toBe(0);
  },
);

test('the settings say which stored keys cannot work', async () => {
  const { app, secretKey } = await service.newApp();
  const account = serviceAccount(pemOf(rsaKeyPair('of a service account')));
  const set = {
    provider_b: { private_key: privateKey },
    push: { apns: { private_key: privateKey }, fcm: { service_account: account } },
  };
  const faultsIn = ({ data }: { data: unknown }) => {
    const { provider_b, push } = data as AppSettings;
    return [provider_b.private_key_fault, push.apns.private_key_fault, push.fcm.service_account_fault];
  };
  const read = () => get(secretKey, { appKey: app.appKey });
  expect(faultsIn(await patch(set, secretKey, app.appKey))).toEqual([null, null, null]);
  // Good keys in the forms of earlier versions work.
  await storeUnread(service.deps, app.id, 'provider_b.private_key', privateKey.replaceAll('\n', ' '));
  expect(faultsIn(await read())).toEqual([null, null, null]);
  await storeUnread(service.deps, app.id, 'provider_b.private_key', pemOf(rsaKeyPair('of a provider')));
  await storeUnread(service.deps, app.id, 'push.apns.private_key', privateKey.slice(0, 90));
  await storeUnread(service.deps, app.id, 'push.fcm.service_account', serviceAccount(privateKey));
  const faults = [
    'is an RSA key of 2048 bits; the provider needs an elliptic curve key on P-256',
    'is cut off or damaged; enter the whole file',
    expect.stringContaining('has a private_key that is an elliptic curve key'),
  ];
  expect(faultsIn(await read())).toEqual(faults);
  expect(faultsIn(await patch({ sign_up: 'closed' }, secretKey, app.appKey))).toEqual(faults);
  expect(faultsIn(await patch(set, secretKey, app.appKey))).toEqual([null, null, null]);
});

test('white space and invisible characters of a pasted deep link are dropped', async () => {
  const { app, secretKey } = await service.newApp();
  const { data } = await patch({ deep_link: ' \u200bacme://sign-\u00adin\u2060\n' }, secretKey, app.appKey);
  expect(data).toMatchObject({ deep_link: 'acme://sign-in' });
});

test('concurrent changes to different settings are all saved', async () => {
  const { app, secretKey } = await service.newApp();
  const change = (body: unknown) => patch(body, secretKey, app.appKey);
  const answers = await Promise.all([
    change({ sign_up: 'closed' }),
    change({ deep_link: 'https://app.example.com/in' }),
    change({ mail: { from_name: 'Example' } }),
    change({ access_token_seconds: 600 }),
  ]);
  expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200]);
  expect((await get(secretKey, { appKey: app.appKey })).data).toMatchObject({
    sign_up: 'closed',
    deep_link: 'https://app.example.com/in',
    mail: { from_name: 'Example' },
    access_token_seconds: 600,
  });
});

test('a change applies to the next call on this instance, and is audited with the old and the new value', async () => {
  const { app, secretKey } = await service.newApp();
  await service.call('GET', '/me', { appKey: app.appKey });
  await patch({ sign_up: 'closed' }, secretKey, app.appKey);
  const body = { email: 'late@example.com', password: 'long enough' };
  const refused = await service.call('POST', '/auth/sign-up', { appKey: app.appKey, body });
  expect(refused.code).toBe('auth/operation-not-allowed');
  const [entry] = await service.auditEntries({ appId: app.id, action: 'settings.updated' });
  const changes = { sign_up: { from: 'open', to: 'closed' } };
  expect(entry?.details).toEqual({ changed: ['sign_up'], changes });
  expect(entry?.actor).toMatch(/^secret_key:/);
});

/** The write-only settings, by what the contract says of them. */
function writeOnlySettings(schema: unknown, path: string[] = []): string[] {
  const { description, properties, anyOf } = schema as JsonSchema;
  if (description?.startsWith('Write-only')) return [path.join('.')];
  const within = Object.entries(properties ?? {}).flatMap(([name, each]) =>
    writeOnlySettings(each, [...path, name]),
  );
  return [...within, ...(anyOf ?? []).flatMap((each) => writeOnlySettings(each, path))];
}

type JsonSchema = { description?: string; properties?: Record<string, unknown>; anyOf?: unknown[] };

test('no write-only setting is in the audit log, only its name', async () => {
  const { app, secretKey } = await service.newApp();
  const key = pemOf(ecKeyPair());
  const account = serviceAccount(pemOf(rsaKeyPair('audited')));
  const given: Record<string, object> = {
    'provider_a.client_secret': { provider_a: { client_secret: 'GOCSPX-a_secret' } },
    'provider_b.private_key': { provider_b: { private_key: key } },
    'push.fcm.service_account': { push: { fcm: { service_account: account } } },
    'push.apns.private_key': { push: { apns: { private_key: key } } },
  };
  expect(Object.keys(given)).toEqual(writeOnlySettings(z.toJSONSchema(AppSettingsPatch, { io: 'input' })));
  for (const [name, body] of Object.entries(given)) {
    for (let times = 0; times < 2; times += 1) {
      expect((await patch(body, secretKey, app.appKey)).status).toBe(200);
      const entry = (await service.auditEntries({ appId: app.id, action: 'settings.updated' })).at(-1);
      expect(entry?.details).toMatchObject({ secrets: [name] });
    }
  }
  await patch({ push: { web_push: { subject: 'https://example.com' } } }, secretKey, app.appKey);
  const stored = JSON.stringify(await service.auditEntries({ appId: app.id }));
  const secrets = [key, account].flatMap((text) => text.match(/[A-Za-z0-9+/]{40,}/g) ?? []);
  expect(secrets.length).toBeGreaterThan(3);
  expect(secrets.filter((secret) => stored.includes(secret))).toEqual([]);
  const vapid = await readAppSecret(service.deps, app.id, 'push.web_push.private_key');
  expect(stored).not.toContain(vapid?.toString());
  expect(stored).not.toContain('PRIVATE KEY');
});

test.each([
  ['an unknown setting', { no_such: 1 }, ''],
  ['a typing error inside', { mail: { form_name: 'x' } }, 'mail'],
  ['a lifetime of 299 s', { access_token_seconds: 299 }, 'access_token_seconds'],
  ['a lifetime of 86,401 s', { access_token_seconds: 86_401 }, 'access_token_seconds'],
  ['a recent sign-in of 0 minutes', { recent_sign_in_minutes: 0 }, 'recent_sign_in_minutes'],
  ['a recent sign-in of 61 minutes', { recent_sign_in_minutes: 61 }, 'recent_sign_in_minutes'],
  ['a deep link that runs', { deep_link: 'javascript:alert(1)' }, 'deep_link'],
  ['a deep link that begins a mail', { deep_link: 'MailTo:ada@example.com' }, 'deep_link'],
  ['a deep link that begins a text message', { deep_link: 'sms:+4915112345678' }, 'deep_link'],
  ['a deep link that shows its source', { deep_link: 'view-source:https://app.example' }, 'deep_link'],
  ['a deep link with an email', { deep_link: 'https://a.example/in?email=' }, 'deep_link'],
  ['a deep link with a code', { deep_link: 'acme://in?from=mail&c%6fde=1' }, 'deep_link'],
  ['an origin with a path', { allowed_origins: ['https://a.example/x'] }, 'allowed_origins.0'],
  ['two addresses to answer to', { mail: { reply_to: 'a@example.com,b@example.com' } }, 'mail.reply_to'],
  [
    'a logo without TLS',
    { mail: { branding: { logo_url: 'http://a.example/x.png' } } },
    'mail.branding.logo_url',
  ],
  [
    'a logo that ends its attribute',
    { mail: { branding: { logo_url: 'https://a.example/"' } } },
    'mail.branding.logo_url',
  ],
  [
    'a logo that mail programs do not show',
    { mail: { branding: { logo_url: 'https://a.example/x.svg?v=1' } } },
    'mail.branding.logo_url',
  ],
  ['a color that is CSS', { mail: { branding: { accent_color: 'red;x' } } }, 'mail.branding.accent_color'],
  ['a footer of two lines', { mail: { branding: { footer: 'a\nb' } } }, 'mail.branding.footer'],
  [
    'an unknown placeholder',
    { mail: { texts: { reset: { en: { subject: 'x', text: '{{name}}' } } } } },
    'mail.texts.reset.en.text',
  ],
  [
    'a placeholder with blanks',
    { mail: { texts: { reset: { en: { subject: '{{ app }}', text: 'x' } } } } },
    'mail.texts.reset.en.subject',
  ],
  [
    'a button of a mail without one',
    { mail: { texts: { reset: { de: { subject: 'x', text: 'y', button: 'z' } } } } },
    'mail.texts.reset.de.button',
  ],
  [
    'an unknown placeholder in a button',
    { mail: { texts: { sign_in: { de: { subject: 'x', text: 'y', button: '{{name}}' } } } } },
    'mail.texts.sign_in.de.button',
  ],
  ['no tier', { tiers: [] }, 'tiers'],
  ['a first tier above 0', { tiers: [{ tier: 'a', min_points: 1 }] }, 'tiers'],
  ['a tier without a name', { tiers: [{ tier: ' ', min_points: 0 }] }, 'tiers.0.tier'],
  ['a name of 101 characters', { tiers: [{ tier: '👑'.repeat(101), min_points: 0 }] }, 'tiers.0.tier'],
  ['a tier below 0', { tiers: [{ tier: 'a', min_points: -1 }] }, 'tiers.0.min_points'],
  ['half a point', { tiers: [{ tier: 'a', min_points: 0.5 }] }, 'tiers.0.min_points'],
  ['a tier out of reach', { tiers: tiersAt(0, 1_000_000_001) }, 'tiers.1.min_points'],
  ['tiers at the same points', { tiers: tiersAt(0, 5, 5) }, 'tiers'],
  ['tiers that fall', { tiers: tiersAt(0, 5, 4) }, 'tiers'],
  ['51 tiers', { tiers: tiersAt(...Array.from({ length: 51 }, (_, place) => place)) }, 'tiers'],
  ['a name twice', { tiers: ['a', 'a '].map((tier, at) => ({ tier, min_points: at })) }, 'tiers'],
  ['a tier with a typing error', { tiers: [{ tier: 'a', minimum_points: 0 }] }, 'tiers.0'],
])('%s is refused', (_name, body, field) => {
  const { error } = AppSettingsPatch.safeParse(body);
  expect(error?.issues.map(({ path }) => path.join('.'))).toContain(field);
});

test('of a patch with one invalid setting nothing is changed', async () => {
  const before = await get(service.app.secretKey);
  const answer = await patch({ sign_up: 'closed', no_such: 1 });
  expectRefusal(answer, 'request/validation-failed', { body: [expect.any(String)] });
  expect((await get(service.app.secretKey)).data).toEqual(before.data);
});

test('an app whose own limit refuses its backend and team can still correct it', async () => {
  const limited = await service.secondInstance({ rateLimits: true });
  onTestFinished(() => limited.stop());
  const { app, secretKey } = await service.newApp();
  const { token: member } = await (await teamScenario(() => service)).newMember(app.id, 'admin');
  const call = (method: string, path: string, token: string, body?: object) =>
    limited.call(method, path, { appKey: app.appKey, token, ...(body && { body }) });
  await call('PATCH', '/admin/settings', secretKey, { rate_limits: { backend: 0.001 } });
  limited.deps.apps.forget();
  for (const token of [secretKey, member]) {
    expect((await call('GET', '/admin/users', token)).status).toBe(200);
    expectRefusal(await call('GET', '/admin/users', token), 'request/rate-limited');
    const read = await call('GET', '/admin/settings', token);
    expect([read.status, read.headers.get('ratelimit-policy')]).toEqual([200, '"admin";q=1000;w=60']);
  }
  const corrected = await call('PATCH', '/admin/settings', member, { rate_limits: { backend: 1 } });
  expect([corrected.status, (corrected.data as AppSettings).rate_limits.backend]).toEqual([200, 1]);
  expect((await call('GET', '/admin/users', secretKey)).status).toBe(200);
});
