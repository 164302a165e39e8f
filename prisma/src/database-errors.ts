// Classifies the errors that callers act on, for both databases and for models and raw queries alike.

// Prisma: authentication failed, cannot reach, no such database (as while one is restored), timed out, closed, no free
// connection, transaction not started or expired, too many connections; and a transaction rolled back by a deadlock.
const prismaCodes = /^P(100[01238]|1017|2024|2028|2034|2037)$/;
const unavailableKinds =
  /^(DatabaseNotReachable|ConnectionClosed|SocketTimeout|TooManyConnections|TlsConnectionError|DatabaseDoesNotExist|AuthenticationFailed)$/;
const socketCodes =
  /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/;
// PostgreSQL: connection lost; authentication failed; no such database; too many connections; shutting down or
// starting; cancelled by a time limit; lock timeout; rolled back by a deadlock; read-only, or not in the state that the
// statement needs, as while a standby takes over.
const postgresqlCodes = /^(08...|28...|3D000|53...|57P0.|57014|55000|55P03|25006|25P03|40001|40P01)$/;
const unavailableCodes = [prismaCodes, socketCodes, postgresqlCodes];
const messages =
  /timeout exceeded when trying to connect|timeout expired|Connection terminated|Query read timeout|not queryable|after calling end on the pool|database is closed/i;
/** Ends the session, or refuses one: poolers have no code of their own for it. A server may say so in its language. */
const fatal = /^(FATAL|PANIC)$/;
/** Node's, whatever the code: a server that stops removes its Unix socket, for example (`connect ENOENT /run/…`). */
const socketFailure = /\b(?:getaddrinfo|connect|read|write) E[A-Z_]+\b/;

type Layer = {
  code?: unknown;
  message?: unknown;
  cause?: unknown;
  errors?: unknown;
  meta?: { driverAdapterError?: unknown };
  originalCode?: unknown;
  originalMessage?: unknown;
  constraint?: unknown;
  kind?: unknown;
  severity?: unknown;
};

/** The database cannot be reached or is overloaded: the call itself is valid and may be retried. */
export function isUnavailable(error: unknown): boolean {
  return layers(error).some(
    ({ code, originalCode, kind, severity, message }) =>
      unavailableCodes.some((codes) => matches(codes, code) || matches(codes, originalCode)) ||
      matches(unavailableKinds, kind) ||
      matches(fatal, severity) ||
      matches(messages, message) ||
      matches(socketFailure, message),
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

function matches(pattern: RegExp, value: unknown): boolean {
  return typeof value === 'string' && pattern.test(value);
}

/**
 * The name of the violated unique constraint, as in the migrations (`users_app_id_email_key`), else null. Where the tables
 * are distributed, the constraint of a part of the table has a number appended.
 */
export function uniqueViolation(error: unknown): string | null {
  const names = layers(error).map(violatedConstraint);
  return names.find((name) => name !== undefined)?.replace(/_\d+$/, '') ?? null;
}

/**
 * The message is in the language of the server, so it counts only without the field: in the embedded database, which is in
 * English, and in Citus, which reports the violation of an INSERT ... SELECT as an internal error with this message.
 */
function violatedConstraint(layer: Layer): string | undefined {
  const { originalCode, originalMessage, code, message, constraint } = layer;
  if (![originalCode, code].some((each) => each === '23505' || each === 'XX000')) return undefined;
  // Prisma's adapter wraps the name; `Database.query` throws the driver's own error.
  const name = (constraint as { index?: unknown } | undefined)?.index ?? constraint;
  if (typeof name === 'string') return name;
  return /unique constraint "(.+?)"/.exec(String(originalMessage ?? message))?.[1];
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
