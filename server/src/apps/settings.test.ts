// App settings over HTTP, and the rules of their schema.
import { AppSettingsPatch } from '@foyer/contract';
import { expect, onTestFinished, test } from 'vitest';
import { testService } from '../../test/harness.js';
import { expectRefusal } from '../../test/refusal.js';
import { shared } from '../../test/shared.js';
import { teamScenario } from '../../test/team-scenario.js';

const service = shared(() => testService());

const get = (secretKey: string, options: { appKey?: string; headers?: Record<string, string> } = {}) =>
  service.call('GET', '/admin/settings', { token: secretKey, ...options });
const patch = (body: unknown, secretKey = service.app.secretKey, appKey?: string) =>
  service.call('PATCH', '/admin/settings', { token: secretKey, body, ...(appKey && { appKey }) });

const privateKey = `-----BEGIN PRIVATE KEY-----\n${Buffer.alloc(100).toString('base64')}\n-----END PRIVATE KEY-----\n`;

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
    deep_link: null,
    allowed_origins: [],
    sign_up: 'open',
    unproven_credentials: 'remove',
    tiers: [{ tier: 'member', min_points: 0 }],
    push: {
      fcm: { project_id: null, service_account_set: false },
      apns: { key_id: null, team_id: null, bundle_id: null, private_key_set: false },
      web_push: { subject: null, public_key: null },
    },
    rate_limits: {},
    mail: { from_name: null, reply_to: null, texts: {} },
    files: { max_bytes: 26_214_400, user_quota_bytes: 524_288_000, allowed_types: null },
    limits: { sign_ups_per_hour: 1_000, mails_to_strangers_per_hour: 1_000 },
    data: { max_collections: 100, user_quota_bytes: 104_857_600 },
    provider_a: { client_ids: { web: null, ios: null, android: null } },
    provider_b: { services_id: null, bundle_id: null, team_id: null, key_id: null, private_key_set: false },
    v1_sunset_at: null,
    v1_deprecated_at: null,
  });
});

test('objects merge key by key, lists replace, null clears and removes an entry', async () => {
  const { app, secretKey } = await service.newApp();
  const change = (body: unknown) => patch(body, secretKey, app.appKey);
  await change({
    provider_a: { client_ids: { web: 'w', ios: 'i' } },
    allowed_origins: ['https://a.example'],
  });
  await change({
    rate_limits: { client: { limit: 7, window_seconds: 60 }, admin: { limit: 9, window_seconds: 1 } },
  });
  const answer = await change({
    provider_a: { client_ids: { ios: null, android: 'a' } },
    allowed_origins: ['https://b.example'],
    rate_limits: { client: null },
    mail: { texts: { sign_in: { de: { subject: 'Hallo', text: 'Dein Code' } } } },
  });
  expect(answer.data).toMatchObject({
    provider_a: { client_ids: { web: 'w', ios: null, android: 'a' } },
    allowed_origins: ['https://b.example'],
    rate_limits: { admin: { limit: 9, window_seconds: 1 } },
    mail: { texts: { sign_in: { de: { subject: 'Hallo', text: 'Dein Code' } } } },
  });
  expect((answer.data as { rate_limits: object }).rate_limits).not.toHaveProperty('client');
  expect((await get(secretKey, { appKey: app.appKey, headers: {} })).data).toEqual(answer.data);
});

test('a member changes credentials within five minutes of a sign-in only, other settings at any time', async () => {
  const { app, secretKey } = await service.newApp();
  const { token } = await (await teamScenario(() => service)).newMember(app.id, 'admin');
  const change = (body: object, by = token) => patch(body, by, app.appKey);
  const read = async () => (await get(secretKey, { appKey: app.appKey })).text;
  const credentials = [
    { provider_a: { client_ids: { web: 'web.client' } } },
    { provider_b: { team_id: 'TEAM123456' } },
    { push: { web_push: { subject: 'mailto:push@example.com' } } },
    { deep_link: null, push: {} },
  ];
  service.clock.advance(5 * 60_000);
  for (const body of credentials) expect((await change(body)).status).toBe(200);
  service.clock.advance(1);
  const before = await read();
  for (const body of credentials) expectRefusal(await change(body), 'auth/requires-recent-login');
  expect(await read()).toBe(before);
  expect((await change({ sign_up: 'closed' })).status).toBe(200);
  // A secret key has no sign-in.
  for (const body of credentials) expect((await change(body, secretKey)).status).toBe(200);
});

test('mails of a purpose have texts in 50 languages at most, however many calls add them', async () => {
  const { app, secretKey } = await service.newApp();
  const text = { subject: 'Code', text: 'Your code' };
  const languages = (from: number, to: number) =>
    Object.fromEntries(Array.from({ length: to - from }, (_, at) => [`en-r${from + at}x`, text]));
  const add = (texts: object) => patch({ mail: { texts } }, secretKey, app.appKey);
  for (const purpose of ['sign_in', 'reset']) {
    expect((await add({ [purpose]: languages(10, 40) })).status).toBe(200);
    expect((await add({ [purpose]: languages(40, 60) })).status).toBe(200);
    const fields = { [`mail.texts.${purpose}`]: ['must have at most 50 languages'] };
    expectRefusal(await add({ [purpose]: languages(60, 61) }), 'request/validation-failed', fields);
  }
  expect((await add({ sign_in: { 'en-r10x': null, ...languages(60, 61) } })).status).toBe(200);
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

test('a change applies to the next call on this instance, and is audited without its values', async () => {
  const { app, secretKey } = await service.newApp();
  await service.call('GET', '/me', { appKey: app.appKey });
  await patch({ sign_up: 'closed' }, secretKey, app.appKey);
  const body = { email: 'late@example.com', password: 'long enough' };
  const refused = await service.call('POST', '/auth/sign-up', { appKey: app.appKey, body });
  expect(refused.code).toBe('auth/operation-not-allowed');
  const [entry] = await service.auditEntries({ appId: app.id, action: 'settings.updated' });
  expect(entry).toMatchObject({ action: 'settings.updated', details: { changed: ['sign_up'] } });
  expect(entry?.actor).toMatch(/^secret_key:/);
});

test.each([
  ['an unknown setting', { no_such: 1 }, ''],
  ['a typing error inside', { mail: { form_name: 'x' } }, 'mail'],
  ['a lifetime of 299 s', { access_token_seconds: 299 }, 'access_token_seconds'],
  ['a lifetime of 86,401 s', { access_token_seconds: 86_401 }, 'access_token_seconds'],
  ['a recent sign-in of 0 minutes', { recent_sign_in_minutes: 0 }, 'recent_sign_in_minutes'],
  ['a recent sign-in of 61 minutes', { recent_sign_in_minutes: 61 }, 'recent_sign_in_minutes'],
  ['a deep link that runs', { deep_link: 'javascript:alert(1)' }, 'deep_link'],
  ['an origin with a path', { allowed_origins: ['https://a.example/x'] }, 'allowed_origins.0'],
  ['a sender that starts a header', { mail: { from_name: 'x\r\nBcc: y' } }, 'mail.from_name'],
  ['two addresses to answer to', { mail: { reply_to: 'a@example.com,b@example.com' } }, 'mail.reply_to'],
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
  ['a private key that is none', { provider_b: { private_key: 'secret' } }, 'provider_b.private_key'],
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

test('a secret key records its last use, to the hour', async () => {
  const { app, secretKey } = await service.newApp();
  const lastUse = async () => {
    await get(secretKey, { appKey: app.appKey });
    const key = await service.deps.prisma.secretKey.findFirstOrThrow({ where: { appId: app.id } });
    return key.lastUsedAt;
  };
  const first = service.clock.now();
  expect(await lastUse()).toEqual(first);
  service.clock.advance(60 * 60 * 1_000 - 1);
  expect(await lastUse()).toEqual(first);
  service.clock.advance(1);
  expect(await lastUse()).toEqual(service.clock.now());
  // The clock steps back: the recorded use is in the future.
  service.clock.advance(-60 * 60 * 1_000);
  expect(await lastUse()).toEqual(service.clock.now());
});

test('an app whose own limit refuses its backend and team can still correct it', async () => {
  const limited = await service.secondInstance({ rateLimits: true });
  onTestFinished(() => limited.stop());
  const { app, secretKey } = await service.newApp();
  const { token: member } = await (await teamScenario(() => service)).newMember(app.id, 'admin');
  const call = (method: string, path: string, token: string, body?: object) =>
    limited.call(method, path, { appKey: app.appKey, token, ...(body && { body }) });
  const rule = { limit: 1, window_seconds: 86_400 };
  await call('PATCH', '/admin/settings', secretKey, { rate_limits: { admin: rule } });
  limited.deps.apps.forget();
  for (const token of [secretKey, member]) {
    expect((await call('GET', '/admin/users', token)).status).toBe(200);
    expectRefusal(await call('GET', '/admin/users', token), 'request/rate-limited');
    const read = await call('GET', '/admin/settings', token);
    expect([read.status, read.headers.get('ratelimit-policy')]).toEqual([200, '"admin";q=1000;w=60']);
  }
  const corrected = await call('PATCH', '/admin/settings', member, { rate_limits: { admin: null } });
  expect([corrected.status, corrected.data]).toMatchObject([200, { rate_limits: {} }]);
  expect((await call('GET', '/admin/users', secretKey)).status).toBe(200);
});
