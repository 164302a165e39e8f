// The door of the engine: one notification to one device, by APNs, FCM or Web Push. README.md says what it promises.
export {
  classifyApns,
  classifyFcm,
  classifyWebPush,
  deferred,
  noAnswer,
  pauseSeconds,
  type Verdict,
} from './answer-rules.js';
export type { ApnsMessage } from './apns.js';
export { type PushSenders, pushSenders } from './push-senders.js';
export { newVapidKeys } from './vapid.js';
