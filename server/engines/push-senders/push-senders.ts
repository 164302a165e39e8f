// The senders of the three push providers.
import type { Clock } from '../../src/lib/clock.js';
import type { Random } from '../../src/lib/crypto/random.js';
import type { Fetch, SsrfSafeFetch } from '../safe-fetch/index.js';
import { type ApnsSender, apnsSender } from './apns.js';
import { type FcmSender, fcmSender } from './fcm.js';
import { type WebPushSender, webPushSender } from './web-push.js';

/** The base URLs of the providers. */
export type PushAddresses = { fcmUrl: string; fcmTokenUrl: string; apnsUrl: string; apnsSandboxUrl: string };

export type PushSenders = {
  fcm: FcmSender;
  apns: ApnsSender;
  webPush: WebPushSender;
  close(): Promise<void>;
};

export function pushSenders(
  deps: { fetch: Fetch; clock: Clock; random: Random; ssrfSafeFetch: SsrfSafeFetch },
  addresses: PushAddresses,
): PushSenders {
  const apns = apnsSender(deps, addresses);
  return { fcm: fcmSender(deps, addresses), apns, webPush: webPushSender(deps), close: () => apns.close() };
}
