// A sentence for every error that the calls of the elements can reject with. The type requires a new code to get one.
import { type ClientCode, isFoyerError, type ServerCode } from '@foyer/sdk';
import { fill } from './languages.js';
import type { TextKey, Texts } from './texts/en.js';

/** Areas of the API that the elements do not call. */
type Elsewhere = 'admin' | 'config' | 'console' | 'data' | 'files' | 'loyalty' | 'push' | 'webhooks';
type Code = Exclude<ServerCode | ClientCode, `${Elsewhere}/${string}`>;

/** Codes that only a fault of the elements or of a proxy leads to, with the sentence for everything unknown. */
type Unexpected =
  | 'request/malformed-json'
  | 'request/malformed-http'
  | 'request/unsupported-media-type'
  | 'request/not-found'
  | 'request/method-not-allowed'
  | 'request/precondition-required'
  | 'request/idempotency-key-reused'
  | 'request/internal-error'
  | 'client/bad-response'
  | 'client/invalid-argument';

/** Sentences of one action in place of the usual ones. */
export type OwnSentences = Partial<Record<Code, TextKey>>;

/** Codes that share the sentence of another one; those with a sentence of their own are keys of the texts. */
const shared: Record<Exclude<Code, Unexpected | TextKey>, TextKey> = {
  'request/origin-not-allowed': 'request/invalid-app-key',
  'request/too-large': 'request/validation-failed',
  'request/unavailable': 'request/idempotency-key-in-progress',
  'auth/token-expired': 'auth/invalid-token',
  'auth/refresh-token-revoked': 'auth/invalid-token',
  'auth/no-such-provider': 'auth/operation-not-allowed',
  'auth/second-factor-not-enrolled': 'auth/passkey-not-found',
  'auth/user-not-found': 'auth/passkey-not-found',
  'auth/session-not-found': 'auth/passkey-not-found',
  'client/network': 'request/timeout',
  'client/timeout': 'request/timeout',
  'client/aborted': 'auth/user-cancelled',
  'client/signed-out': 'auth/invalid-token',
  'client/passkey-wrong-domain': 'client/passkey-unsupported',
  'client/passkey-failed': 'auth/invalid-credential',
};

/** The shortest wait that a response without `Retry-After` can mean. */
const usualWaitMs = 60_000;

export function sentenceFor(error: unknown, texts: Texts, language: string, own: OwnSentences = {}): string {
  const { code, retryAfterMs = usualWaitMs } = isFoyerError(error) ? error : { code: '' };
  const others: Record<string, TextKey> = { ...shared, ...own };
  const sentences: Record<string, string> = texts;
  return fill(sentences[others[code] ?? code] ?? texts.unexpected, {
    wait: duration(retryAfterMs, language),
  });
}

function duration(milliseconds: number, language: string): string {
  const seconds = Math.ceil(milliseconds / 1_000);
  const [unit, size] = seconds < 100 ? ['second', 1] : seconds < 5_400 ? ['minute', 60] : ['hour', 3_600];
  const format = { style: 'unit', unit, unitDisplay: 'long' } as const;
  return new Intl.NumberFormat(language, format).format(Math.ceil(seconds / (size as number)));
}
