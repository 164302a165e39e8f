// Describes a failed connection to another server for an app's team, without IP addresses or text from that server.

/** The reason is in the error's `code`; errors of `fetch` have it in their cause. */
export function connectionFailure(error: unknown): string {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: { code?: unknown } | null };
  const reason = typeof code === 'string' ? code : cause?.code;
  return typeof reason === 'string'
    ? `the connection failed (${reason.slice(0, 64)})`
    : 'the connection failed';
}
