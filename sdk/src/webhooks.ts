// @foyer/sdk/webhooks: whether a webhook comes from the service, and what it says (Standard Webhooks). For Node and for
// edge runtimes alike: nothing but WebCrypto is used.

/** The headers of the request: those of `fetch`, or an object as Node and Express have it. */
import type { WebhookEvent } from './generated/webhook-models.js';
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Record<string, string | readonly string[] | undefined>;

/** Why a webhook is refused. */
export type WebhookRefusal = 'missing-headers' | 'too-old' | 'too-new' | 'wrong-signature' | 'not-json';

/** The request is not to be believed: answer it with 400, and do nothing. */
export class WebhookError extends Error {
  readonly reason: WebhookRefusal;

  constructor(reason: WebhookRefusal) {
    super(sentences[reason]);
    this.name = 'WebhookError';
    this.reason = reason;
  }
}

export interface VerifyOptions {
  /** How far the attempt may lie in the past or the future; 300 seconds unless given. */
  toleranceSeconds?: number | undefined;
  /** The time, for tests; that of the machine unless given. */
  now?: Date | undefined;
}

/**
 * Verifies a webhook and gives its event; rejects with a `WebhookError` where it is not the service's. `payload` is the
 * body as it came, to the byte: parsed and written again it does not verify. Give all secrets that may be in use, such as
 * two while a secret is rotated.
 *
 * An event can come more than once: remember `event.id`, and ignore what you know.
 *
 *   const event = await verifyWebhook(await request.text(), request.headers, secret);
 *   if (event.type === 'user.created') await welcome(event.data.user.email);
 */
export async function verifyWebhook(
  payload: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  options: VerifyOptions = {},
): Promise<WebhookEvent> {
  const keys = (typeof secret === 'string' ? [secret] : secret).map(keyBytes);
  if (keys.length === 0) throw new TypeError('verifyWebhook needs a secret');
  const id = header(headers, 'webhook-id');
  const time = header(headers, 'webhook-timestamp');
  const given = header(headers, 'webhook-signature');
  if (!id || !time || !given || !/^\d{1,12}$/.test(time)) throw new WebhookError('missing-headers');

  const { toleranceSeconds = 300, now = new Date() } = options;
  const ageSeconds = Math.floor(now.getTime() / 1_000) - Number(time);
  if (ageSeconds > toleranceSeconds) throw new WebhookError('too-old');
  if (-ageSeconds > toleranceSeconds) throw new WebhookError('too-new');

  const body = typeof payload === 'string' ? new TextEncoder().encode(payload) : payload;
  const signed = joined(new TextEncoder().encode(`${id}.${time}.`), body);
  if (!(await isSignedBy(keys, signed, signaturesIn(given)))) throw new WebhookError('wrong-signature');
  try {
    return JSON.parse(new TextDecoder().decode(body)) as WebhookEvent;
  } catch {
    throw new WebhookError('not-json');
  }
}

const sentences: Record<WebhookRefusal, string> = {
  'missing-headers':
    'The headers webhook-id, webhook-timestamp and webhook-signature are missing or malformed.',
  'too-old': 'The webhook was sent too long ago.',
  'too-new': 'The webhook was sent in the future: look at the clock of this machine.',
  'wrong-signature': 'No signature of the webhook was made with this secret over this body.',
  'not-json': 'The body is signed but is not JSON.',
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

/** More than a service would ever send is not looked at. */
const mostSignatures = 10;

function signaturesIn(given: string): Uint8Array<ArrayBuffer>[] {
  return given
    .split(' ')
    .slice(0, mostSignatures)
    .flatMap((each) => (each.startsWith('v1,') ? (decoded(each.slice(3)) ?? []) : []));
}

function keyBytes(secret: string): Uint8Array<ArrayBuffer> {
  const bytes = decoded(secret.replace(/^whsec_/, ''));
  // The secret itself is never in a message.
  if (!bytes || bytes.length === 0) throw new TypeError('a webhook secret is whsec_ and base64');
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
