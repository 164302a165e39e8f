// What a team is told when a connection of the service to another server fails: without IP addresses and text of that server.

/** Node names the reason in `code`, `fetch` in that of its cause. */
export function connectionFailure(error: unknown): string {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: { code?: unknown } | null };
  const reason = typeof code === 'string' ? code : cause?.code;
  return typeof reason === 'string'
    ? `the connection failed (${reason.slice(0, 64)})`
    : 'the connection failed';
}
