// Classifies the errors that callers act on, for both databases and for models and raw queries alike.

// Prisma: authentication failed, cannot reach, no such database (as while one is restored), timed out, closed, no free
// connection, transaction not started or expired, too many connections; and a transaction rolled back by a deadlock.
const unavailableCodes = new Set([
  'P1000',
  'P1001',
  'P1002',
  'P1003',
  'P1008',
  'P1017',
  'P2024',
  'P2028',
  'P2034',
  'P2037',
]);
const unavailableKinds = new Set([
  'DatabaseNotReachable',
  'ConnectionClosed',
  'SocketTimeout',
  'TooManyConnections',
  'TlsConnectionError',
  'DatabaseDoesNotExist',
  'AuthenticationFailed',
]);
const socketCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);
// PostgreSQL: connection lost; authentication failed; no such database; too many connections; shutting down or
// starting; cancelled by a time limit; lock timeout; rolled back by a deadlock; read-only, or not in the state that the
// statement needs, as while a standby takes over.
const postgresqlCodes = /^(08...|28...|3D000|53...|57P0.|57014|55000|55P03|25006|25P03|40001|40P01)$/;
const messages =
  /timeout exceeded when trying to connect|timeout expired|Connection terminated|Query read timeout|not queryable|after calling end on the pool|database is closed/i;

type Layer = {
  code?: unknown;
  message?: unknown;
  cause?: unknown;
  errors?: unknown;
  meta?: { driverAdapterError?: unknown };
  originalCode?: unknown;
  originalMessage?: unknown;
  kind?: unknown;
};

/** The database cannot be reached or is overloaded: the call itself is valid and may be retried. */
export function isUnavailable(error: unknown): boolean {
  return layers(error).some(
    ({ code, originalCode, kind, message }) =>
      isUnavailableCode(code) ||
      isUnavailableCode(originalCode) ||
      unavailableKinds.has(kind as string) ||
      (typeof message === 'string' && messages.test(message)),
  );
}

/** The database cancelled the statement, by its time limit or on request. */
export function isCutOff(error: unknown): boolean {
  return layers(error).some(({ code, originalCode }) => code === '57014' || originalCode === '57014');
}

/** A statement exceeded the time limit of the database, or that of this client if the database is gone. */
export function isTimedOut(error: unknown): boolean {
  return isCutOff(error) || layers(error).some(({ message }) => message === 'Query read timeout');
}

function isUnavailableCode(code: unknown): boolean {
  if (typeof code !== 'string') return false;
  return unavailableCodes.has(code) || socketCodes.has(code) || postgresqlCodes.test(code);
}

/** The name of the violated unique constraint, as in the migrations (`users_app_id_email_key`), else null. */
export function uniqueViolation(error: unknown): string | null {
  for (const { originalCode, originalMessage, code, message } of layers(error)) {
    // Prisma stores the driver's message as original; `Database.query` throws the driver's own error.
    const said = originalCode === '23505' ? originalMessage : code === '23505' ? message : undefined;
    if (typeof said === 'string') return /unique constraint "(.+)"/.exec(said)?.[1] ?? null;
  }
  return null;
}

/** An error and its causes, outermost first. */
function layers(error: unknown, depth = 0): Layer[] {
  if (typeof error !== 'object' || error === null || depth > 5) return [];
  const layer = error as Layer;
  const inner = [
    layer.meta?.driverAdapterError,
    layer.cause,
    ...(Array.isArray(layer.errors) ? layer.errors : []),
  ];
  return [layer, ...inner.flatMap((each) => layers(each, depth + 1))];
}
