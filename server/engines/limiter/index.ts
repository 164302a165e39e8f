// The door of the engine: how often, how much and how many at once. README.md says what it promises.
export type { Reached } from './hourly-budget.js';
export { windowsOf } from './limit-windows.js';
export { type LimitedUser, onePerNetwork } from './limits-of-user.js';
export type { CodeMail, KnownClient } from './mail-limits.js';
export { memoryWindows } from './memory-windows.js';
export {
  type CountedMail,
  type Guessed,
  type Limiter,
  type LimitOfUser,
  limiter,
  type MailToStranger,
  noLimiter,
  type RateLimitState,
  rateLimited,
  rateLimitHeaders,
  type SignUpAttempt,
} from './rate-limit.js';
export { type RedisAddress, redisAddress } from './redis-address.js';
export type { RedisPatience } from './redis-windows.js';
export { type Share, turns } from './turns.js';
export { consumeBytes, consumeFurtherBytes, countWrites } from './written-bytes.js';

/** Loaded only where rate limits are in Redis. */
export const loadRedisWindows = () => import('./redis-windows.js');
