// Classifies the answers of push providers. Only an answer that the token is no longer registered makes a device invalid;
// errors of the message or the credentials never do.
//
// An attacker can register arbitrary tokens, and for Web Push chooses the server that answers. So an error about a token
// affects that device only, and no answer of a Web Push endpoint stops a message.
import { jsonIn } from '../../src/lib/json-rules.js';

export type Verdict =
  | { is: 'accepted'; providerMessageId: string | null }
  /** The token is no longer registered. */
  | { is: 'invalid'; error: string }
  /** This device does not receive the message and remains active. */
  | { is: 'failed'; error: string }
  /** No device would receive it: the message is stopped. */
  | { is: 'stop'; error: string }
  /** A later attempt may succeed. */
  | { is: 'retry'; error: string; afterSeconds: number | null };

type ProviderAnswer = { status: number; retryAfter: string | null };

/** The connection failed or timed out. */
export const noAnswer = { is: 'retry', error: 'no-answer', afterSeconds: null } as const satisfies Verdict;

/** The device is tried after all others. */
export const deferred: Verdict = { is: 'retry', error: 'deferred', afterSeconds: null };

const maxWaitSeconds = 3_600;
const maxNameCharacters = 1_000;

export function classifyFcm(answer: ProviderAnswer & { from: 'token' | 'messages'; body: string }): Verdict {
  if (isTransient(answer.status)) return retryOf(answer);
  if (answer.from === 'token') return { is: 'stop', error: 'credentials-refused' };
  const { name, status, error, field } = fcmAnswerIn(answer.body);
  if (answer.status === 200) return { is: 'accepted', providerMessageId: name };
  if (error === 'UNREGISTERED') return { is: 'invalid', error };
  // The token of another project, or one for which FCM cannot authenticate to APNs or the browser's push service.
  if (error === 'SENDER_ID_MISMATCH' || error === 'THIRD_PARTY_AUTH_ERROR') return { is: 'failed', error };
  if (answer.status === 401 || answer.status === 403)
    return { is: 'stop', error: status ?? 'credentials-refused' };
  if (answer.status === 404) return { is: 'failed', error: status ?? 'NOT_FOUND' };
  if (field === 'message.token') return { is: 'failed', error: 'invalid-token' };
  const code = error ?? status ?? `status-${answer.status}`;
  // FCM names no field for a malformed token. An error of the message fails for each device.
  return answer.status === 400 && field === null
    ? { is: 'failed', error: code }
    : { is: 'stop', error: code };
}

export function classifyApns(
  answer: ProviderAnswer & { apnsId: string | null; reason: string | null; timestamp: number | null },
  registeredAt: Date,
): Verdict {
  const error = answer.reason ?? `status-${answer.status}`;
  if (answer.status === 200) return { is: 'accepted', providerMessageId: answer.apnsId };
  if (isTransient(answer.status) || error === 'IdleTimeout') return retryOf(answer, error);
  if (answer.status === 410) {
    // A registration after the timestamp of APNs makes the answer obsolete.
    const newer = answer.timestamp === null || answer.timestamp > registeredAt.getTime();
    return newer ? { is: 'invalid', error } : { is: 'failed', error };
  }
  return { is: deviceErrors.includes(error) ? 'failed' : 'stop', error };
}

/** The client chooses the token and the environment of its device, for which the key may not be valid. */
const deviceErrors = [
  'BadDeviceToken',
  'BadPath',
  'DeviceTokenNotForTopic',
  'MissingDeviceToken',
  'BadCertificateEnvironment',
  'BadEnvironmentKeyIdInToken',
  'BadEnvironmentKeyInToken',
];

export function classifyWebPush(answer: ProviderAnswer & { location: string | null }): Verdict {
  const error = `status-${answer.status}`;
  if (answer.status >= 200 && answer.status < 300) {
    // The endpoint may be an attacker's: its Location is truncated.
    return { is: 'accepted', providerMessageId: answer.location?.slice(0, maxNameCharacters) ?? null };
  }
  if (answer.status === 404 || answer.status === 410) return { is: 'invalid', error };
  if (isTransient(answer.status)) return retryOf(answer, error);
  return { is: 'failed', error };
}

/** Ten seconds, four times as long after each pass, or the provider's Retry-After if it is longer. */
export function pauseSeconds(pass: number, askedSeconds: number): number {
  return Math.min(Math.max(10 * 4 ** (pass - 1), askedSeconds), maxWaitSeconds);
}

function isTransient(status: number): boolean {
  return status === 429 || status === 408 || status >= 500;
}

function retryOf({ status, retryAfter }: ProviderAnswer, error = `status-${status}`): Verdict {
  // A date is ignored: the default pauses are long enough.
  const seconds = retryAfter !== null && /^\d{1,6}$/.test(retryAfter.trim()) ? Number(retryAfter) : null;
  return {
    is: 'retry',
    error,
    afterSeconds: seconds === null ? null : Math.min(seconds, maxWaitSeconds),
  };
}

type FcmFields = { name: string | null; status: string | null; error: string | null; field: string | null };

/** The message name, the error (google.rpc.Code and FcmError) and the invalid field of an answer of FCM. */
function fcmAnswerIn(body: string): FcmFields {
  const answer = jsonIn(body) as
    | { name?: unknown; error?: { status?: unknown; details?: unknown } }
    | null
    | undefined;
  const details = Array.isArray(answer?.error?.details) ? (answer.error.details as unknown[]) : [];
  let error: string | null = null;
  let field: string | null = null;
  for (const detail of details) {
    const { errorCode, fieldViolations } = (detail ?? {}) as {
      errorCode?: unknown;
      fieldViolations?: unknown;
    };
    error ??= identifier(errorCode);
    if (Array.isArray(fieldViolations))
      field ??= identifier((fieldViolations[0] as { field?: unknown })?.field);
  }
  return { name: identifier(answer?.name), status: identifier(answer?.error?.status), error, field };
}

function identifier(value: unknown): string | null {
  return typeof value === 'string' && /^[\w./:%-]{1,200}$/.test(value) ? value : null;
}
