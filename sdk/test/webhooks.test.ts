// Webhook verification against the library that the service signs with, in both directions, and every rejection.
import { createHmac } from 'node:crypto';
import { Webhook as Standard } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import {
  verifyWebhook,
  WebhookError,
  type WebhookEvent,
  type WebhookRefusal,
  type WebhookUser,
} from '../src/webhooks.js';

const secretOf = (byte: number) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`;
const secret = secretOf(1);
const id = 'evt_01JC4Q7M0RZ9X2V5T8W3Y6K1NB';
const user = {
  uid: '01JC4Q7M0RZ9X2V5T8W3Y6K1NB',
  email: 'ada@example.com',
  email_verified: false,
  first_name: 'Ädà 👩‍🚀',
  last_name: null,
  photo_url: null,
  created_at: '2026-01-02T03:04:05.678000Z',
  member_id: '4820157396',
  claims: {},
};
const event: WebhookEvent = {
  id,
  type: 'user.created',
  timestamp: '2026-01-02T03:04:05.678000Z',
  app_id: '01JC4Q7M0RZ9X2V5T8W3Y6K1NA',
  data: { user: user as WebhookUser },
};
const body = JSON.stringify(event);
const seconds = (date: Date) => Math.floor(date.getTime() / 1_000);

/** Signs as the service does: with each secret, newest first. */
function signed(secrets = [secret], at = new Date(), payload = body): Record<string, string> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds(at)),
    'webhook-signature': secrets.map((each) => new Standard(each).sign(id, at, payload)).join(' '),
  };
}

async function refusal(verified: Promise<unknown>): Promise<WebhookRefusal | undefined> {
  const error = await verified.catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(WebhookError);
  expect(error).toHaveProperty('name', 'WebhookError');
  return (error as WebhookError).reason;
}

describe('a webhook signed by the standard library', () => {
  test.each<[string, string | Uint8Array | ArrayBuffer]>([
    ['a string', body],
    ['bytes', new TextEncoder().encode(body)],
    ['an ArrayBuffer', new TextEncoder().encode(body).buffer],
    ['a Buffer', Buffer.from(body)],
    ['a part of a larger buffer', Buffer.from(`xx${body}`).subarray(2)],
  ])('is verified, the body being %s', async (_, payload) => {
    expect(await verifyWebhook(payload, signed(), secret)).toEqual(event);
  });

  test('is verified with headers of every type', async () => {
    const headers = signed();
    const upper = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
    );
    const lists = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));
    for (const each of [headers, upper, lists, new Headers(headers), new Map(Object.entries(headers))]) {
      const given = each instanceof Map ? { get: (name: string) => each.get(name) ?? null } : each;
      expect(await verifyWebhook(body, given, secret)).toEqual(event);
    }
  });

  test('is verified with either secret during a rotation, on both sides', async () => {
    const [old, next, other] = [secretOf(1), secretOf(2), secretOf(3)];
    for (const known of [old, next, [next, old], [other, old]]) {
      expect(await verifyWebhook(body, signed([next, old]), known)).toEqual(event);
    }
    expect(await verifyWebhook(body, signed([next]), [old, next])).toEqual(event);
    expect(await refusal(verifyWebhook(body, signed([next]), old))).toBe('wrong-signature');
    expect(await refusal(verifyWebhook(body, signed([next, old]), other))).toBe('wrong-signature');
  });

  test('is verified when the secret has no prefix', async () => {
    expect(await verifyWebhook(body, signed(), secret.slice('whsec_'.length))).toEqual(event);
  });
});

test('a webhook verifies here if and only if it verifies with the standard library', async () => {
  const headers = signed();
  const changed = { ...headers, 'webhook-id': `${id}x` };
  const swapped = { ...headers, 'webhook-signature': new Standard(secretOf(2)).sign(id, new Date(), body) };
  for (const [payload, given] of [
    [body, headers],
    [`${body} `, headers],
    [body, changed],
    [body, swapped],
    [body, { ...headers, 'webhook-timestamp': String(Number(headers['webhook-timestamp']) - 1) }],
    [body, { ...headers, 'webhook-signature': `v2,x ${headers['webhook-signature']}` }],
  ] as const) {
    const theirs = await Promise.resolve()
      .then(() => new Standard(secret).verify(payload, given))
      .catch(() => 'refused');
    const ours = await verifyWebhook(payload, given, secret).catch(() => 'refused');
    expect(ours).toEqual(theirs);
  }
});

describe('rejected is', () => {
  const cases: [string, Record<string, string | undefined>, WebhookRefusal][] = [
    ['a webhook without an id', { 'webhook-id': undefined }, 'missing-headers'],
    ['a webhook without a time', { 'webhook-timestamp': undefined }, 'missing-headers'],
    ['a webhook without a signature', { 'webhook-signature': '' }, 'missing-headers'],
    ['a time that is none', { 'webhook-timestamp': 'now' }, 'missing-headers'],
    ['a time with more after it', { 'webhook-timestamp': '1767323045abc' }, 'missing-headers'],
    ['a signature of another kind', { 'webhook-signature': 'v1a,xxxx' }, 'wrong-signature'],
    ['a signature that is no base64', { 'webhook-signature': 'v1,%%%' }, 'wrong-signature'],
    ['an empty signature', { 'webhook-signature': 'v1,' }, 'wrong-signature'],
    ['a signature without its version', { 'webhook-signature': 'xxxx' }, 'wrong-signature'],
  ];
  test.each(cases)('%s', async (_, change, reason) => {
    expect(await refusal(verifyWebhook(body, { ...signed(), ...change }, secret))).toBe(reason);
  });

  test('a webhook whose signature follows ten others', async () => {
    const headers = signed();
    const after = (count: number) =>
      `${`v1,${btoa('another')} `.repeat(count)}${headers['webhook-signature']}`;
    const verified = (count: number) =>
      verifyWebhook(body, { ...headers, 'webhook-signature': after(count) }, secret);
    expect(await verified(9)).toEqual(event);
    expect(await refusal(verified(10))).toBe('wrong-signature');
  });

  test('a modified or re-serialized body', async () => {
    const spaced = JSON.stringify(event, null, 2);
    for (const payload of [`${body} `, body.replace('ada', 'eve'), spaced, '']) {
      expect(await refusal(verifyWebhook(payload, signed(), secret))).toBe('wrong-signature');
    }
  });

  test('one older or newer than five minutes, to the second, by default', async () => {
    const now = new Date('2026-03-01T10:00:00Z');
    const at = (offset: number) => signed([secret], new Date(now.getTime() + offset * 1_000));
    for (const offset of [-300, 0, 300]) {
      expect(await verifyWebhook(body, at(offset), secret, { now })).toEqual(event);
    }
    expect(await refusal(verifyWebhook(body, at(-301), secret, { now }))).toBe('too-old');
    expect(await refusal(verifyWebhook(body, at(301), secret, { now }))).toBe('too-new');
    expect(await verifyWebhook(body, at(-301), secret, { now, toleranceSeconds: 301 })).toEqual(event);
  });

  test('a signed body that is not JSON', async () => {
    expect(await refusal(verifyWebhook('no', signed([secret], new Date(), 'no'), secret))).toBe('not-json');
  });

  test('a body that was parsed, with the reason', async () => {
    for (const parsed of [event, undefined, null]) {
      const verified = verifyWebhook(parsed as never, signed(), secret);
      await expect(verified).rejects.toThrow(
        new TypeError('The payload must be the raw body, before it is parsed.'),
      );
    }
  });

  test('an invalid or missing secret, whatever an empty secret signs', async () => {
    const forged = createHmac('sha256', '')
      .update(`${id}.${seconds(new Date())}.${body}`)
      .digest('base64');
    const headers = { ...signed(), 'webhook-signature': `v1,${forged}` };
    for (const none of ['', 'whsec_', 'whsec_%', []]) {
      await expect(verifyWebhook(body, headers, none)).rejects.toBeInstanceOf(TypeError);
    }
  });
});
