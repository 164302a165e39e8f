// The one error of every call: the code of the catalogue, its message, and the messages of single fields.
import { errorMessages } from 'virtual:contract-extract';
import { isFoyerError } from '@foyer/sdk';

export type Fields = Readonly<Record<string, readonly string[]>>;

type Details = {
  status?: number;
  fields?: Fields;
  requestId?: string | undefined;
  retryAfterSeconds?: number | undefined;
  cause?: unknown;
};

export class ApiProblem extends Error {
  readonly code: string;
  /** The HTTP status; 0 when there was no response. */
  readonly status: number;
  readonly fields: Fields;
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: string, message: string, details: Details = {}) {
    super(message, { cause: details.cause });
    this.name = 'ApiProblem';
    this.code = code;
    this.status = details.status ?? 0;
    this.fields = details.fields ?? {};
    this.requestId = details.requestId;
    this.retryAfterSeconds = details.retryAfterSeconds;
  }
}

/** Of errors that only the SDK has, and of those whose messages are for other readers. */
const ownMessages: Record<string, string> = {
  'auth/invalid-credential': 'The email, the password or the passkey is wrong.',
  'client/network': 'The service cannot be reached. Check your connection, then try again.',
  'client/timeout': 'The service did not respond in time. Try again.',
  'client/bad-response': 'The response did not come from the service; a proxy may have answered instead.',
  'client/passkey-cancelled': 'No passkey was chosen, or this device has none for the dashboard.',
  'client/passkey-unsupported': 'There are no passkeys in this browser or on this device.',
  'client/passkey-wrong-domain': 'Passkeys work at the public URL of the dashboard only.',
  'client/passkey-failed': 'The passkey could not be used. Try again, or use your password.',
  'client/storage-unavailable': 'This browser does not allow the dashboard to store your session.',
};

/** Any rejection as an `ApiProblem`. */
export function problemOf(error: unknown): ApiProblem {
  if (error instanceof ApiProblem) return error;
  if (isFoyerError(error)) {
    const { code, status, fields, requestId, retryAfterMs } = error;
    return new ApiProblem(code, messageOf(code, error.message), {
      status,
      fields,
      requestId,
      retryAfterSeconds: retryAfterMs === undefined ? undefined : Math.ceil(retryAfterMs / 1_000),
      cause: error,
    });
  }
  // `fetch` rejects with a TypeError when there is no response.
  if (error instanceof TypeError && /fetch|network|load failed/i.test(error.message)) {
    return new ApiProblem('client/network', messageOf('client/network', ''), { cause: error });
  }
  const message = error instanceof Error ? error.message : String(error);
  return new ApiProblem('client/unexpected', `Something went wrong in the dashboard: ${message}`, {
    cause: error,
  });
}

/** The problem that a response reports, in the envelope of the service. */
export function problemIn(response: Response, body: unknown): ApiProblem {
  const error = (body as { error?: { code?: string; message?: string; fields?: Fields } } | undefined)?.error;
  const code = error?.code ?? 'client/bad-response';
  const retryAfter = Number(response.headers.get('Retry-After') ?? Number.NaN);
  return new ApiProblem(code, messageOf(code, error?.message ?? ''), {
    status: response.status,
    fields: error?.fields ?? {},
    requestId: response.headers.get('X-Request-Id') ?? undefined,
    retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : undefined,
  });
}

function messageOf(code: string, message: string): string {
  return ownMessages[code] ?? errorMessages[code] ?? (message || code);
}

/** True for problems that may disappear without a change of the request. */
export function isTransient({ code, status }: ApiProblem): boolean {
  return code === 'client/network' || code === 'client/timeout' || status === 429 || status >= 500;
}
