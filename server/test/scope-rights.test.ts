// Scopes mean what they say: what lets somebody become a user is `sign-in:manage`, and what reveals users is `users:read`.
// The table of docs/security.md is the contract's.
import { readFileSync } from 'node:fs';
import {
  type AppSettingsPatch,
  limits,
  type SecretKeyScope,
  scopeRights,
  secretKeyScopes,
  settingScopes,
} from '@foyer/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { createSecretKey } from '../src/apps/secret-keys.js';
import { byCommandLine } from '../src/model/actor.js';
import { testService } from './harness.js';
import { expectRefusal } from './refusal.js';
import { shared } from './shared.js';
import { type TeamScenario, teamScenario } from './team-scenario.js';
import { startReceiver, webhookScenario } from './webhook-scenario.js';

const service = shared(() => testService({ config: { outboundLoopback: true } }));
const receiver = shared(() => startReceiver());
const webhooks = webhookScenario(() => service);

async function keyWith(...scopes: SecretKeyScope[]): Promise<{ id: string; token: string }> {
  const draft = { name: 'of a test', scopes, expiresAt: null };
  const { key, secretKey } = await createSecretKey(service.deps, byCommandLine(service.app.app.id), draft);
  return { id: key.id, token: secretKey };
}

describe('a change of a setting requires its scope alone', () => {
  const keys: Record<string, { id: string; token: string }> = {};
  beforeAll(async () => {
    for (const scope of ['settings:manage', 'sign-in:manage'] as const) keys[scope] = await keyWith(scope);
  });

  const ofSignIn: [string, AppSettingsPatch][] = [
    ['provider_a', { provider_a: { client_ids: { web: ['web.of.a.stranger'] } } }],
    ['provider_b', { provider_b: { bundle_ids: ['com.example.stranger'] } }],
    [
      'providers',
      {
        providers: {
          stranger: {
            ...{ kind: 'oidc', name: 'Stranger', issuer: 'https://stranger.example' },
            ...{ client_ids: ['stranger'], trusts_email: true },
          },
        },
      },
    ],
    ['redirect_uris', { redirect_uris: ['https://stranger.example/signed-in'] }],
    ['passkeys', { passkeys: null }],
    ['second_factor', { second_factor: 'off' }],
    ['new_device_notice', { new_device_notice: false }],
    ['deep_link', { deep_link: 'https://stranger.example/sign-in' }],
    ['mail', { mail: { from_name: 'Another sender' } }],
    ['mail', { mail: { reply_to: 'stranger@example.com' } }],
    ['mail', { mail: { texts: { sign_in: { en: { subject: 'Reply', text: 'Reply with the code' } } } } }],
    ['allowed_origins', { allowed_origins: ['https://stranger.example'] }],
    ['sign_up', { sign_up: 'open' }],
    ['recent_sign_in_minutes', { recent_sign_in_minutes: 60 }],
    ['rate_limits.sign_in', { rate_limits: { sign_in: 1_000 } }],
    ['rate_limits.codes', { rate_limits: { codes: 0.001 } }],
    ['rate_limits.refresh', { rate_limits: { refresh: 2 } }],
  ];
  const others: [string, AppSettingsPatch][] = [
    ['access_token_seconds', { access_token_seconds: 600 }],
    ['token_algorithm', { token_algorithm: 'ES256' }],
    ['refuse_common_passwords', { refuse_common_passwords: true }],
    ['tiers', { tiers: [{ tier: 'member', min_points: 0 }] }],
    ['files', { files: { max_bytes: 1_000 } }],
    ['limits', { limits: { sign_ups_per_hour: 10 } }],
    ['data', { data: { max_collections: 10 } }],
    ['push', { push: { web_push: { subject: 'mailto:push@example.com' } } }],
    ['v1_sunset_at', { v1_sunset_at: null }],
    ['rate_limits.client', { rate_limits: { client: 2 } }],
    ['rate_limits.backend', { rate_limits: { backend: 2 } }],
  ];

  const change = (token: string, body: object) => service.call('PATCH', '/admin/settings', { token, body });

  test.each([
    ...ofSignIn.map(([name, patch]) => [name, 'sign-in:manage', 'settings:manage', patch] as const),
    ...others.map(([name, patch]) => [name, 'settings:manage', 'sign-in:manage', patch] as const),
  ])('%s requires %s, and %s is not enough', async (name, needed, other, patch) => {
    const [right, wrong] = [keys[needed], keys[other]] as [{ token: string }, { id: string; token: string }];
    const read = async () => (await service.call('GET', '/admin/settings', { token: right.token })).text;
    const before = await read();
    const refused = await change(wrong.token, patch);
    expectRefusal(refused, 'admin/insufficient-scope', { [name]: [`requires the scope ${needed}`] });
    expect(await read()).toBe(before);
    expect((await change(right.token, patch)).status).toBe(200);
    expect(
      await service.auditEntries({ actor: `secret_key:${wrong.id}`, action: 'secret_key.refused' }),
    ).toMatchObject([{ details: { reason: 'scope-missing', scope: needed } }]);
    await service.advance(60_000);
    await service.database.prisma.auditLog.deleteMany({ where: { actor: `secret_key:${wrong.id}` } });
  });

  test('and a patch of both kinds requires both', async () => {
    const body = { sign_up: 'open', access_token_seconds: 900 };
    for (const scope of ['settings:manage', 'sign-in:manage']) {
      expect((await change(keys[scope]?.token as string, body)).code).toBe('admin/insufficient-scope');
    }
    const both = await keyWith('settings:manage', 'sign-in:manage');
    expect((await change(both.token, body)).status).toBe(200);
  });

  test('every setting has a scope, and every factor', () => {
    const tried = [...ofSignIn, ...others].map(([name]) => name.split('.')[0]);
    expect([...new Set(tried)].sort()).toEqual([...Object.keys(settingScopes), 'rate_limits'].sort());
    const factors = [...ofSignIn, ...others].flatMap(([name]) => /^rate_limits\.(.*)/.exec(name)?.[1] ?? []);
    expect(factors.sort()).toEqual(Object.keys(limits.rateLimitGroups).sort());
  });
});

describe('the owners are notified by mail of changed sign-in settings', () => {
  let team: TeamScenario;
  beforeAll(async () => {
    team = await teamScenario(() => service);
  });

  test('each owner of the app and of the service, once for each change of a value', async () => {
    const made = await service.newApp();
    const { id, appKey, name } = made.app;
    const owner = await team.newMember(id, 'owner');
    const admin = await team.newMember(id, 'admin');
    const disabled = await team.newMember(id, 'owner');
    const where = { id: disabled.uid };
    await service.database.prisma.user.updateMany({ where, data: { disabled: true } });
    const subject = `The sign-in settings of ${name} were changed`;
    const received = async (email: string) =>
      (await service.mailbox(email)).filter((mail) => mail.subject === subject);
    const change = async (token: string, body: object) =>
      expect((await service.call('PATCH', '/admin/settings', { appKey, token, body })).status).toBe(200);

    await change(admin.token, { deep_link: 'https://app.example/sign-in', access_token_seconds: 900 });
    for (const { email } of [admin, disabled]) expect(await received(email)).toEqual([]);
    const mails = [await received(owner.email), await received(team.owner.email)];
    for (const [mail, ...more] of mails) {
      expect(more).toEqual([]);
      expect(mail?.text).toContain(`${admin.email} changed these settings of the app ${name} on `);
      expect(mail?.text).toContain(': deep_link.');
      expect(mail?.text).not.toContain('app.example');
    }
    // The same value again, and other settings.
    await change(admin.token, { deep_link: 'https://app.example/sign-in' });
    await change(admin.token, { tiers: [{ tier: 'member', min_points: 0 }], files: { max_bytes: 1_000 } });
    expect(await received(owner.email)).toHaveLength(1);
    await change(made.secretKey, { provider_b: { private_key: null } });
    const [latest] = await received(owner.email);
    expect(latest?.text).toMatch(/^The secret key [0-9A-Z]{26} changed .*: provider_b\.$/m);
  });
});

describe('`webhooks:manage` alone reveals no user', () => {
  test('it cannot create, redirect or widen a webhook, replay or read events, and works with users:read', async () => {
    const { token } = await keyWith('webhooks:manage');
    const reading = await keyWith('webhooks:manage', 'users:read');
    const webhook = await webhooks.create({ url: receiver.url });
    await service.signUp();
    await service.advance(0);
    const at = `/admin/webhooks/${webhook.id}`;
    const { data } = await service.call<{ items: { id: string }[] }>('GET', `${at}/deliveries`, { token });
    const delivery = data.items[0]?.id as string;
    const since = new Date(service.clock.now().getTime() - 60_000).toISOString();
    const calls: [string, string, object?][] = [
      ['POST', '/admin/webhooks', { url: receiver.url }],
      ['PATCH', at, { url: receiver.url }],
      ['PATCH', at, { types: [] }],
      ['POST', `${at}/replay`, { since }],
      ['POST', `${at}/deliveries/${delivery}/retry`],
      ['GET', `${at}/deliveries/${delivery}`],
      ['GET', '/admin/events'],
    ];
    const ask = (by: string, [method, path, body]: (typeof calls)[number]) =>
      service.call(method, path, { token: by, ...(body && { body }) });
    for (const call of calls) {
      const { code } = await ask(token, call);
      expect([call, code]).toEqual([call, 'admin/insufficient-scope']);
    }
    for (const call of calls)
      expect([call, (await ask(reading.token, call)).status < 300]).toEqual([call, true]);
    for (const call of [
      ['GET', '/admin/webhooks'],
      ['PATCH', at, { enabled: false }],
      ['POST', `${at}/test`],
      ['POST', `${at}/rotate-secret`],
      ['DELETE', at],
    ] as typeof calls) {
      const answer = await ask(token, call);
      expect([call, answer.status < 300]).toEqual([call, true]);
      expect(answer.text).not.toContain('@');
    }
  });
});

test('`users:write` alone creates no points, and works with loyalty:write', async () => {
  const [alone, both] = [await keyWith('users:write'), await keyWith('users:write', 'loyalty:write')];
  const create = ({ token }: { token: string }, body: object) =>
    service.call('POST', '/admin/users', { token, body });
  const refused = await create(alone, { email: 'rich@example.com', points: 250 });
  expectRefusal(refused, 'admin/insufficient-scope', { points: ['requires the scope loyalty:write'] });
  expect((await create(both, { email: 'rich@example.com', points: 250 })).status).toBe(201);
  expect((await create(alone, { email: 'poor@example.com', points: 0 })).status).toBe(201);
});

test('docs/security.md lists what each scope amounts to, as the dashboard shows it', () => {
  const document = readFileSync(new URL('../../docs/security.md', import.meta.url), 'utf8');
  const rows = secretKeyScopes.map((scope) => {
    const { allows, amountsTo } = scopeRights[scope];
    return `| \`${scope}\` | ${allows} | ${amountsTo} |`;
  });
  expect(document).toContain(['| scope | allows | amounts to |', '|---|---|---|', ...rows].join('\n'));
});
