// Calls to identity and push providers: with a timeout, bounded responses, and without following redirects.

/** `retryAfter`: the `Retry-After` header. */
export type ProviderAnswer = { status: number; body: string; retryAfter: string | null };

export type Fetch = typeof fetch;

const timeoutMilliseconds = 5_000;
const maxAnswerBytes = 256 * 1_024;

/** Gets, or posts a form. Rejects if the provider is unreachable, slow, redirects, or sends too large a response. */
export function callProvider(
  deps: { fetch: Fetch },
  url: string,
  form?: Record<string, string>,
): Promise<ProviderAnswer> {
  return call(deps, url, form && { method: 'POST', body: new URLSearchParams(form) });
}

/** Posts JSON with a bearer token. */
export function postJson(
  deps: { fetch: Fetch },
  url: string,
  bearer: string,
  body: unknown,
): Promise<ProviderAnswer> {
  const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${bearer}` };
  return call(deps, url, { method: 'POST', headers, body: JSON.stringify(body) });
}

async function call(deps: { fetch: Fetch }, url: string, init: RequestInit = {}): Promise<ProviderAnswer> {
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
  // The decoder ignores a byte order mark.
  return { status: response.status, body: new TextDecoder().decode(Buffer.concat(parts)), retryAfter };
}
