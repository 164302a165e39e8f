// What a provider says, and what follows from it (conventions of the API, "Push"). A device goes only where the provider
// says that its token is no more; a fault of the message or of the credentials never costs a device.
//
// A stranger can register what looks like a token, and for Web Push even chooses who answers. So what speaks of one token
// concerns that device alone, and no answer of a Web Push endpoint ever stops a message that others are to get.

export type Verdict =
  | { is: 'accepted'; providerMessageId: string | null }
  /** The token is no more. */
  | { is: 'invalid'; error: string }
  /** This device does not get it, and is kept. */
  | { is: 'failed'; error: string }
  /** Nobody would get it: the message is stopped. */
  | { is: 'stop'; error: string }
  /** It may be taken later. */
  | { is: 'retry'; error: string; afterSeconds: number | null };

type Said = { status: number; retryAfter: string | null };

/** No answer at all, from whichever provider. */
export const noAnswer: Verdict = { is: 'retry', error: 'no-answer', afterSeconds: null };

const maxWaitSeconds = 3_600;
const maxNameCharacters = 1_000;

export function judgeFcm(said: Said & { from: 'token' | 'messages'; body: string }): Verdict {
  if (isForLater(said.status)) return later(said);
  if (said.from === 'token') return { is: 'stop', error: 'credentials-refused' };
  const { name, status, error, field } = fcmAnswerIn(said.body);
  if (said.status === 200) return { is: 'accepted', providerMessageId: name };
  if (error === 'UNREGISTERED') return { is: 'invalid', error };
  // The token of another project, or one whose own way on from FCM is closed.
  if (error === 'SENDER_ID_MISMATCH' || error === 'THIRD_PARTY_AUTH_ERROR') return { is: 'failed', error };
  if (said.status === 401 || said.status === 403)
    return { is: 'stop', error: status ?? 'credentials-refused' };
  if (said.status === 404) return { is: 'failed', error: status ?? 'NOT_FOUND' };
  if (field === 'message.token') return { is: 'failed', error: 'invalid-token' };
  const fault = error ?? status ?? `status-${said.status}`;
  // FCM names no field where the token is malformed. What is a fault of the message fails on each device.
  return said.status === 400 && field === null
    ? { is: 'failed', error: fault }
    : { is: 'stop', error: fault };
}

export function judgeApns(
  said: Said & { apnsId: string | null; reason: string | null; timestamp: number | null },
  registeredAt: Date,
): Verdict {
  const error = said.reason ?? `status-${said.status}`;
  if (said.status === 200) return { is: 'accepted', providerMessageId: said.apnsId };
  if (isForLater(said.status) || error === 'IdleTimeout') return later(said, error);
  if (said.status === 410) {
    // Registered again since: what APNs speaks of is an earlier life of the token.
    const newer = said.timestamp === null || said.timestamp > registeredAt.getTime();
    return newer ? { is: 'invalid', error } : { is: 'failed', error };
  }
  return { is: faultsOfDevice.includes(error) ? 'failed' : 'stop', error };
}

/** Whoever registers a device chooses its token, and its environment, for which the key may not be made. */
const faultsOfDevice = [
  'BadDeviceToken',
  'BadPath',
  'DeviceTokenNotForTopic',
  'MissingDeviceToken',
  'BadCertificateEnvironment',
  'BadEnvironmentKeyIdInToken',
  'BadEnvironmentKeyInToken',
];

export function judgeWebPush(said: Said & { location: string | null }): Verdict {
  const error = `status-${said.status}`;
  if (said.status >= 200 && said.status < 300) {
    // Whoever registered the endpoint chooses what it says.
    return { is: 'accepted', providerMessageId: said.location?.slice(0, maxNameCharacters) ?? null };
  }
  if (said.status === 404 || said.status === 410) return { is: 'invalid', error };
  if (isForLater(said.status)) return later(said, error);
  return { is: 'failed', error };
}

/** Grows fourfold from ten seconds; what the providers asked for counts if it is longer. */
export function pauseSeconds(pass: number, askedSeconds: number): number {
  return Math.min(Math.max(10 * 4 ** (pass - 1), askedSeconds), maxWaitSeconds);
}

function isForLater(status: number): boolean {
  return status === 429 || status === 408 || status >= 500;
}

function later({ status, retryAfter }: Said, error = `status-${status}`): Verdict {
  // A date in its place is as good as nothing: our own pauses are long enough.
  const seconds = retryAfter !== null && /^\d{1,6}$/.test(retryAfter.trim()) ? Number(retryAfter) : null;
  return {
    is: 'retry',
    error,
    afterSeconds: seconds === null ? null : Math.min(seconds, maxWaitSeconds),
  };
}

type FcmSaid = { name: string | null; status: string | null; error: string | null; field: string | null };

/** The names in an answer of FCM: of the message, of the error (google.rpc.Code and FcmError), and of the field at fault. */
function fcmAnswerIn(body: string): FcmSaid {
  const answer = parsed(body) as { name?: unknown; error?: { status?: unknown; details?: unknown } } | null;
  const details = Array.isArray(answer?.error?.details) ? (answer.error.details as unknown[]) : [];
  let error: string | null = null;
  let field: string | null = null;
  for (const detail of details) {
    const { errorCode, fieldViolations } = (detail ?? {}) as {
      errorCode?: unknown;
      fieldViolations?: unknown;
    };
    error ??= word(errorCode);
    if (Array.isArray(fieldViolations)) field ??= word((fieldViolations[0] as { field?: unknown })?.field);
  }
  return { name: word(answer?.name), status: word(answer?.error?.status), error, field };
}

function word(value: unknown): string | null {
  return typeof value === 'string' && /^[\w./:%-]{1,200}$/.test(value) ? value : null;
}

function parsed(body: string): unknown {
  try {
    const value = JSON.parse(body);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}
