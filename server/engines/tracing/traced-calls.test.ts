import { expect, test, vi } from 'vitest';
import type { Mailer } from '../mailer/mail.js';
import type { PushSenders } from '../push-senders/push-senders.js';
import type { SsrfSafeFetch } from '../safe-fetch/ssrf-safe-fetch.js';
import { tracedCalls } from './traced-calls.js';
import type { Tracing } from './tracing.js';

function recorded() {
  const spans: [string, object][] = [];
  const tracing = {
    call: (name: string, attributes: object, work: () => unknown) => {
      spans.push([name, attributes]);
      return work();
    },
  } as unknown as Tracing;
  return { spans, traced: tracedCalls(tracing) };
}

test('each push provider has its spans, and the message is sent once', async () => {
  const { spans, traced } = recorded();
  const send = vi.fn(async (...input: unknown[]) => input.length);
  const senders = { fcm: { send }, apns: { send }, webPush: { send } } as unknown as PushSenders;
  const own = traced.pushSenders(senders) as unknown as Record<string, { send: typeof send }>;
  for (const provider of ['fcm', 'apns', 'webPush']) expect(await own[provider]?.send('a', 'b')).toBe(2);
  expect(send.mock.calls).toEqual([
    ['a', 'b'],
    ['a', 'b'],
    ['a', 'b'],
  ]);
  expect(spans).toEqual(
    ['fcm', 'apns', 'web-push'].map((system) => ['send push', { 'messaging.system': system }]),
  );
});

test('a call to a provider is named by its method, and only its host is recorded', async () => {
  const { spans, traced } = recorded();
  const answer = new Response('{}');
  const fetch = traced.fetch(async () => answer);
  expect(await fetch('https://accounts.example.com/token?code=secret', { method: 'POST' })).toBe(answer);
  expect(spans).toEqual([['POST provider', { 'server.address': 'accounts.example.com' }]]);
});

test('an address that is no URL is refused by the call, not by its span', async () => {
  const { spans, traced } = recorded();
  const refusal = new Error('refused');
  const safeFetch = { send: () => Promise.reject(refusal) } as unknown as SsrfSafeFetch;
  const request = {} as Parameters<SsrfSafeFetch['send']>[1];
  await expect((async () => traced.webhooks(safeFetch).send('no URL', request))()).rejects.toBe(refusal);
  expect(spans).toEqual([['POST webhook', { 'server.address': '' }]]);
});

test('without a tracing everything is returned as it is', () => {
  const off = tracedCalls(null);
  const mailer = {} as Mailer;
  expect(off.mailer(mailer)).toBe(mailer);
  expect(off.fetch(fetch)).toBe(fetch);
});

test('a call that is given as a request has its host too', async () => {
  const { spans, traced } = recorded();
  await traced.fetch(async () => new Response())(new Request('https://keys.example.com/jwks?secret'));
  expect(spans).toEqual([['GET provider', { 'server.address': 'keys.example.com' }]]);
});

test('a mail has a span without its receiver', async () => {
  const { spans, traced } = recorded();
  const send = vi.fn();
  const mail = { to: 'ada@example.com' } as Parameters<Mailer['send']>[0];
  await traced.mailer({ send } as unknown as Mailer).send(mail);
  expect(send).toHaveBeenCalledExactlyOnceWith(mail);
  expect(spans).toEqual([['send mail', {}]]);
});
