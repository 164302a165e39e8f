import type { SignInMethods } from '@foyer/contract';
import { expect, test } from 'vitest';
import { testService } from '../../test/harness.js';
import { clients, settings } from '../../test/provider-scenario.js';
import { shared } from '../../test/shared.js';

const service = shared(() => testService());
const read = (headers: Record<string, string> = {}, appKey?: string) =>
  service.call<SignInMethods>('GET', '/auth/methods', {
    headers,
    ...(appKey !== undefined && { appKey }),
  });

test('the methods of an app without settings are password and emailed code', async () => {
  const { data } = await read({}, (await service.newApp()).app.appKey);
  expect(data).toEqual({
    sign_up: 'open',
    password: { min_characters: 8, max_bytes: 1_024, refuses_common: false },
    email_code: { digits: 6, magic_link: false },
    passkeys: false,
    second_factor: 'off',
    providers: [],
  });
});

test('the methods follow the settings', async () => {
  await service.changeSettings({
    ...settings,
    provider_b: { bundle_ids: [clients.bundle] },
    sign_up: 'closed',
    refuse_common_passwords: true,
    deep_link: 'https://app.example.com/sign-in',
    second_factor: 'required',
    passkeys: { rp_id: 'example.com', rp_name: 'Example', origins: ['https://example.com'] },
  });
  const { data } = await read();
  expect(data).toMatchObject({
    sign_up: 'closed',
    password: { refuses_common: true },
    email_code: { magic_link: true },
    passkeys: true,
    second_factor: 'required',
  });
  expect(data.providers).toEqual([
    { id: 'provider-a', kind: 'provider-a', name: 'Google', client_id: clients.web, redirect: false },
    { id: 'provider-b', kind: 'provider-b', name: 'Apple', client_id: null, redirect: false },
  ]);
});

test('a provider is offered by redirect where the app has a redirect URI, or the secret that only a redirect needs', async () => {
  const app = await service.newApp();
  const contoso = {
    kind: 'oidc' as const,
    issuer: 'https://contoso.example',
    client_ids: ['web'],
    name: 'Contoso',
    trusts_email: false,
  };
  const isOffered = async () =>
    (await read({}, app.app.appKey)).data.providers.map(({ redirect }) => redirect);
  await service.changeSettings({ providers: { contoso } }, app);
  expect(await isOffered()).toEqual([false]);
  await service.changeSettings({ redirect_uris: ['https://app.example.com/'] }, app);
  expect(await isOffered()).toEqual([true]);
  await service.changeSettings(
    { redirect_uris: [], providers: { contoso: { ...contoso, client_secret: 'a-secret' } } },
    app,
  );
  expect(await isOffered()).toEqual([true]);
});

test('they are cached for a minute by the client, apart for each app, and have no secret', async () => {
  const { headers, text } = await read();
  expect(headers.get('cache-control')).toBe('private, max-age=60');
  expect(headers.get('vary')).toMatch(/x-app-key/i);
  expect(text).not.toContain(clients.bundle);
  const same = await read({ 'if-none-match': headers.get('etag') as string });
  expect([same.status, same.text]).toEqual([304, '']);
  await service.changeSettings({ sign_up: 'open' });
  expect((await read({ 'if-none-match': headers.get('etag') as string })).status).toBe(200);
});

test('the console names passkeys of the dashboard, and offers a second factor', async () => {
  const { appKey } = await service.deps.apps.console();
  expect((await read({}, appKey)).data).toMatchObject({ passkeys: true, second_factor: 'optional' });
});
