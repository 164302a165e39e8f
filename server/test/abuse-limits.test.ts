// What an attacker can do to another user by many calls, with rate limits on.
import { expect, test } from 'vitest';
import { testService } from './harness.js';
import { mailServer } from './mail-server.js';
import { shared } from './shared.js';

const service = shared(() => testService({ rateLimits: true, config: { trustProxy: 1 } }));

const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });

test('thirty sends from one IP address do not suppress a user’s mails requested from another', async () => {
  const email = 'wanted@example.com';
  const send = (address: string) =>
    service.call('POST', '/auth/email-code/send', { body: { email }, ...from(address) });
  for (let call = 0; call < 30; call += 1) expect((await send('198.51.100.1')).status).toBe(200);
  expect(await service.mailbox(email)).toHaveLength(1);
  expect((await send('198.51.100.2')).status).toBe(200);
  expect(await service.mailbox(email)).toHaveLength(2);
});

test('notices to one email are limited to five an hour', async () => {
  const { email, tokens } = await service.signUp({ email: 'noticed@example.com' });
  const change = () =>
    service.call('PUT', '/me/password', {
      token: tokens.access_token,
      body: { password: 'another long password' },
      ...from('198.51.100.3'),
    });
  for (let call = 0; call < 7; call += 1) expect((await change()).status).toBe(204);
  expect(await service.mailbox(email)).toHaveLength(5);
  await service.advance(60 * 60 * 1_000);
  const renewed = await service.refresh(tokens.refresh_token);
  const again = await service.call('PUT', '/me/password', {
    token: renewed.data.access_token,
    body: { password: 'yet another password', current_password: 'another long password' },
  });
  expect(again.status).toBe(204);
  expect(await service.mailbox(email)).toHaveLength(6);
});

test('a notice is retried while the mail server is down and counts once', async () => {
  const server = await mailServer();
  const smtp = { url: server.url, from: 'accounts@mail.test' };
  const own = await testService({ rateLimits: true, config: { smtp } });
  try {
    const { email, tokens } = await own.signUp();
    await server.down();
    const change = { token: tokens.access_token, body: { password: 'another long password' } };
    expect((await own.call('PUT', '/me/password', change)).status).toBe(204);
    // The delay between attempts doubles, starting at five seconds: these are nine of them.
    for (let tries = 0; tries < 9; tries += 1) await own.advance(10_000 * 2 ** tries);
    await server.up();
    await own.advance(3 * 60 * 60 * 1_000);
    expect(server.received.map(({ to }) => to)).toEqual([[email]]);
  } finally {
    await own.stop();
    await server.down();
  }
});

test.each([
  ['access tokens', '/me', 'eyJhbGciOiJFUzI1NiJ9.e30.c2ln', 'auth/invalid-token', '198.51.100.4'],
  ['secret keys', '/admin/settings', `sk_${'x'.repeat(43)}`, 'admin/invalid-secret-key', '198.51.100.5'],
])(
  '%s that are invalid are limited to 300 a minute per IP address',
  async (_name, path, token, code, address) => {
    const ask = () => service.call('GET', path, { token, ...from(address) });
    for (let call = 0; call < 300; call += 1) expect((await ask()).code).toBe(code);
    const refused = await ask();
    expect(refused.code).toBe('request/rate-limited');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    await service.advance(60_000);
    expect((await ask()).code).toBe(code);
  },
);
