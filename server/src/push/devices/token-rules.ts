// What a push token of each provider can look like. Whether it is one only the provider can say; this keeps out what would
// make every send to it a mistake of ours.
import type { DeviceInput } from '@foyer/contract';

/** The keys of a Web Push subscription (RFC 8291): an uncompressed P-256 point and 16 bytes. */
export type SubscriptionKeys = { p256dh: Buffer; auth: Buffer };

export type TokenVerdict =
  | { token: string; keys: SubscriptionKeys | null }
  | { wrong: 'token' | 'keys.p256dh' | 'keys.auth'; because: string };

const pointBytes = 65;
const authBytes = 16;

export function judgeToken(input: Pick<DeviceInput, 'provider' | 'token' | 'keys'>): TokenVerdict {
  const { provider, token } = input;
  if (provider === 'fcm') {
    return /^[\w:.%~-]+$/.test(token)
      ? { token, keys: null }
      : { wrong: 'token', because: 'must be a registration token of FCM' };
  }
  if (provider === 'apns') {
    // In hex either case is the same token.
    return /^(?:[0-9A-Fa-f]{2}){32,100}$/.test(token)
      ? { token: token.toLowerCase(), keys: null }
      : { wrong: 'token', because: 'must be a device token of APNs in hex' };
  }
  const p256dh = bytesOf(input.keys?.p256dh);
  if (p256dh?.length !== pointBytes || p256dh[0] !== 4) {
    return { wrong: 'keys.p256dh', because: 'must be an uncompressed P-256 point in base64url' };
  }
  const auth = bytesOf(input.keys?.auth);
  if (auth?.length !== authBytes) {
    return { wrong: 'keys.auth', because: `must be ${authBytes} bytes in base64url` };
  }
  return { token, keys: { p256dh, auth } };
}

export function isTopic(topic: string): boolean {
  return /^[A-Za-z0-9_.~%-]{1,100}$/.test(topic);
}

/** Browsers and libraries write base64 of both alphabets, with padding and without. */
function bytesOf(text: string | undefined): Buffer | null {
  if (text === undefined || !/^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) return null;
  return Buffer.from(text, 'base64url');
}
