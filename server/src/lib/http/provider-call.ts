// Calls to identity and push providers: with a timeout, bounded responses, and without following redirects.

export type ProviderAnswer = { status: number; body: string };

export type Fetch = typeof fetch;

const timeoutMilliseconds = 5_000;
const maxAnswerBytes = 256 * 1_024;

/** Rejects if the provider is unreachable, slow, redirects, or sends too large a response. */
export async function callProvider(
  deps: { fetch: Fetch },
  url: string,
  form?: Record<string, string>,
): Promise<ProviderAnswer> {
  const { status, body } = await call(deps, url, form && { method: 'POST', body: new URLSearchParams(form) });
  return { status, body };
}

/** Posts JSON with a bearer token; returns the `Retry-After` header too. */
export async function postJson(
  deps: { fetch: Fetch },
  url: string,
  bearer: string,
  body: unknown,
): Promise<ProviderAnswer & { retryAfter: string | null }> {
  const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${bearer}` };
  return call(deps, url, { method: 'POST', headers, body: JSON.stringify(body) });
}

async function call(deps: { fetch: Fetch }, url: string, init: RequestInit = {}) {
  const response = await deps.fetch(url, {
    ...init,
    headers: { Accept: 'application/json', ...init.headers },
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMilliseconds),
  });
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.byteLength;
    // Leaving the loop cancels the rest.
    if (bytes > maxAnswerBytes) throw new Error(`the provider answered more than ${maxAnswerBytes} bytes`);
    parts.push(part);
  }
  const retryAfter = response.headers.get('retry-after');
  return { status: response.status, body: Buffer.concat(parts).toString(), retryAfter };
}
