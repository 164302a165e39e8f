// The format of each provider's push tokens. Only the provider knows whether a token is valid; this refuses those with which
// every send would be a malformed request.
import type { DeviceInput } from '@foyer/contract';

/** The keys of a Web Push subscription (RFC 8291): an uncompressed P-256 point and 16 bytes. */
export type SubscriptionKeys = { p256dh: Buffer; auth: Buffer };

export type TokenVerdict =
  | { token: string; keys: SubscriptionKeys | null }
  | { field: 'token' | 'keys.p256dh' | 'keys.auth'; reason: string };

const pointBytes = 65;
const authBytes = 16;

export function checkToken(input: Pick<DeviceInput, 'provider' | 'token' | 'keys'>): TokenVerdict {
  const { provider, token } = input;
  if (provider === 'fcm') {
    return /^[\w:.%~-]+$/.test(token)
      ? { token, keys: null }
      : { field: 'token', reason: 'must be a registration token of FCM' };
  }
  if (provider === 'apns') {
    // Hex digits in either case are the same token.
    return /^(?:[0-9A-Fa-f]{2}){32,100}$/.test(token)
      ? { token: token.toLowerCase(), keys: null }
      : { field: 'token', reason: 'must be a device token of APNs in hex' };
  }
  const p256dh = bytesOf(input.keys?.p256dh);
  if (p256dh?.length !== pointBytes || p256dh[0] !== 4) {
    return { field: 'keys.p256dh', reason: 'must be an uncompressed P-256 point in base64url' };
  }
  const auth = bytesOf(input.keys?.auth);
  if (auth?.length !== authBytes) {
    return { field: 'keys.auth', reason: `must be ${authBytes} bytes in base64url` };
  }
  return { token: normalEndpoint(token), keys: { p256dh, auth } };
}

/**
 * The normal form of a URL (RFC 3986, section 6.2.2), without a fragment: each spelling of an endpoint would otherwise be a device
 * of its own and receive every message. A text that is no URL is returned unchanged.
 */
export function normalEndpoint(text: string): string {
  if (!URL.canParse(text)) return text;
  const url = new URL(text);
  url.hash = '';
  url.hostname = url.hostname.replace(/\.$/, '');
  if (url.search === '') url.search = '';
  return url.href.replace(/%[\da-f]{2}/gi, (encoded) => {
    const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : encoded.toUpperCase();
  });
}

export function isTopic(topic: string): boolean {
  return /^[A-Za-z0-9_.~%-]{1,100}$/.test(topic);
}

/** Browsers and libraries use both base64 alphabets, with and without padding. */
function bytesOf(text: string | undefined): Buffer | null {
  if (text === undefined || !/^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) return null;
  return Buffer.from(text, 'base64url');
}
