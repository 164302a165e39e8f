// @foyer/sdk/webhooks: verifies the signature of a webhook and parses its event (Standard Webhooks). Uses WebCrypto
// only, for Node and edge runtimes.
import type { WebhookEvent } from './generated/webhook-models.js';

/** The request's headers: a `Headers` object, or a plain object as in Node and Express. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Record<string, string | readonly string[] | undefined>;

/** Why a webhook was rejected. */
export type WebhookRefusal = 'missing-headers' | 'too-old' | 'too-new' | 'wrong-signature' | 'not-json';

/** The webhook could not be verified. Answer it with 400 and ignore its content. */
export class WebhookError extends Error {
  readonly reason: WebhookRefusal;

  constructor(reason: WebhookRefusal) {
    super(messages[reason]);
    this.name = 'WebhookError';
    this.reason = reason;
  }
}

export interface VerifyOptions {
  /** Accepted age and clock difference, in seconds. Default: 300. */
  toleranceSeconds?: number | undefined;
  /** The current time, for tests. Default: the system clock. */
  now?: Date | undefined;
}

/**
 * Verifies the signature of a webhook and returns its event. Rejects with a `WebhookError` when verification fails, and
 * with a `TypeError` when a secret is missing or malformed, or when `payload` is not the raw body but parsed JSON, which
 * would not verify. Pass all active secrets, for example two during a rotation.
 *
 * An event can be delivered more than once: deduplicate by `event.id`.
 *
 * @example
 * const event = await verifyWebhook(await request.text(), request.headers, secret);
 * if (event.type === 'user.created') await welcome(event.data.user.email);
 */
export async function verifyWebhook(
  payload: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  options: VerifyOptions = {},
): Promise<WebhookEvent> {
  const keys = (typeof secret === 'string' ? [secret] : secret).map(keyBytes);
  if (keys.length === 0) throw new TypeError('At least one webhook secret is needed.');
  const body = bytesOf(payload);
  const id = header(headers, 'webhook-id');
  const time = header(headers, 'webhook-timestamp');
  const given = header(headers, 'webhook-signature');
  if (!id || !time || !given || !/^\d{1,12}$/.test(time)) throw new WebhookError('missing-headers');

  const { toleranceSeconds = 300, now = new Date() } = options;
  const ageSeconds = Math.floor(now.getTime() / 1_000) - Number(time);
  if (ageSeconds > toleranceSeconds) throw new WebhookError('too-old');
  if (-ageSeconds > toleranceSeconds) throw new WebhookError('too-new');

  const signed = joined(new TextEncoder().encode(`${id}.${time}.`), body);
  if (!(await isSignedBy(keys, signed, signaturesIn(given)))) throw new WebhookError('wrong-signature');
  try {
    return JSON.parse(new TextDecoder().decode(body)) as WebhookEvent;
  } catch {
    throw new WebhookError('not-json');
  }
}

function bytesOf(payload: string | Uint8Array | ArrayBuffer): Uint8Array<ArrayBuffer> {
  if (typeof payload === 'string') return new TextEncoder().encode(payload);
  // Recognizes a buffer by its name, because that of another realm, as in Jest, is no instance of this one's.
  if (Object.prototype.toString.call(payload) === '[object ArrayBuffer]')
    return new Uint8Array(payload as ArrayBuffer);
  if (ArrayBuffer.isView(payload)) return payload as Uint8Array<ArrayBuffer>;
  throw new TypeError('The payload must be the raw body, before it is parsed.');
}

const messages: Record<WebhookRefusal, string> = {
  'missing-headers':
    'The headers webhook-id, webhook-timestamp and webhook-signature are missing or malformed.',
  'too-old': 'The webhook was sent too long ago.',
  'too-new': 'The webhook was sent in the future. Check the clock of this machine.',
  'wrong-signature': 'No signature matches this secret and body.',
  'not-json': 'The signed body is not JSON.',
};

/** `crypto.subtle.verify` compares in constant time. */
async function isSignedBy(
  keys: Uint8Array<ArrayBuffer>[],
  signed: Uint8Array<ArrayBuffer>,
  signatures: Uint8Array<ArrayBuffer>[],
): Promise<boolean> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  let found = false;
  for (const bytes of keys) {
    const key = await crypto.subtle.importKey('raw', bytes, algorithm, false, ['verify']);
    for (const signature of signatures) {
      if (await crypto.subtle.verify('HMAC', key, signature, signed)) found = true;
    }
  }
  return found;
}

/** Bounds the work for a forged header. */
const maxSignatures = 10;

function signaturesIn(given: string): Uint8Array<ArrayBuffer>[] {
  return given
    .split(' ')
    .slice(0, maxSignatures)
    .flatMap((each) => (each.startsWith('v1,') ? (decoded(each.slice(3)) ?? []) : []));
}

function keyBytes(secret: string): Uint8Array<ArrayBuffer> {
  const bytes = decoded(secret.replace(/^whsec_/, ''));
  // Messages never contain the secret.
  if (!bytes || bytes.length === 0)
    throw new TypeError('A webhook secret must be whsec_ followed by base64.');
  return bytes;
}

function decoded(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function joined(head: Uint8Array, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(head.length + body.length);
  bytes.set(head);
  bytes.set(body, head.length);
  return bytes;
}

function header(headers: WebhookHeaders, name: string): string | null {
  if (typeof headers.get === 'function') return headers.get(name);
  const values = headers as Record<string, string | readonly string[] | undefined>;
  const found = Object.keys(values).find((key) => key.toLowerCase() === name);
  const value = found === undefined ? undefined : values[found];
  return typeof value === 'string' ? value : (value?.[0] ?? null);
}

export type {
  WebhookEvent,
  WebhookEventType,
  WebhookLoyaltyEntry,
  WebhookSession,
  WebhookUser,
} from './generated/webhook-models.js';
