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
  const response = await deps.fetch(url, {
    method: form ? 'POST' : 'GET',
    headers: { Accept: 'application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMilliseconds),
    ...(form && { body: new URLSearchParams(form) }),
  });
  return { status: response.status, body: await readBody(response) };
}

/** Posts JSON with a bearer token; returns the `Retry-After` header too. */
export async function postJson(
  deps: { fetch: Fetch },
  url: string,
  bearer: string,
  body: unknown,
): Promise<ProviderAnswer & { retryAfter: string | null }> {
  const response = await deps.fetch(url, {
    method: 'POST',
    headers: {
      Accept: 'application/json',
      'Content-Type': 'application/json',
      Authorization: `Bearer ${bearer}`,
    },
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMilliseconds),
    body: JSON.stringify(body),
  });
  const retryAfter = response.headers.get('retry-after');
  return { status: response.status, body: await readBody(response), retryAfter };
}

async function readBody(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.byteLength;
    // Leaving the loop cancels the rest.
    if (bytes > maxAnswerBytes) throw new Error(`the provider answered more than ${maxAnswerBytes} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}
