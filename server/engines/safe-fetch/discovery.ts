// OpenID Connect Discovery 1.0 of an issuer that the team of an app has set, through the SSRF-safe fetch: the URLs in the
// document are the provider's, and may point anywhere.
import { isObject, jsonIn } from '../../src/lib/json-rules.js';
import { type KeySet, keysIn } from './provider-keys.js';
import type { SsrfSafeFetch } from './ssrf-safe-fetch.js';

/** What is wrong with the answers of the provider; a sentence without its text. */
export class DiscoveryError extends Error {
  /** The provider does not answer for the moment, as in an outage; otherwise its answer is wrong. */
  readonly isPassing: boolean;

  constructor(message: string, { isPassing = false } = {}) {
    super(message);
    this.isPassing = isPassing;
  }
}

export type Discovered = { jwksUrl: string; document: Record<string, unknown> };

type DiscoveryDeps = { ssrfSafeFetch: SsrfSafeFetch };

const timeoutMilliseconds = 5_000;
const maxAnswerBytes = 128 * 1_024;

/** Where the document of an issuer is (section 4): its path is appended to that of the issuer. */
export function discoveryUrlOf(issuer: string): string {
  return `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
}

/** Rejects with a DiscoveryError, a ForbiddenUrlError or a network error. */
export async function discover(deps: DiscoveryDeps, issuer: string): Promise<Discovered> {
  const document = await fetchObject(deps, discoveryUrlOf(issuer), 'the discovery document');
  // Character by character (section 4.3): otherwise a provider could speak for another.
  if (document.issuer !== issuer) throw new DiscoveryError('the discovery document names another issuer');
  const { jwks_uri: jwksUrl } = document;
  if (typeof jwksUrl !== 'string') throw new DiscoveryError('the discovery document has no jwks_uri');
  return { jwksUrl, document };
}

/** The keys that the issuer publishes now. Rejects as `discover` does. */
export async function discoverKeys(deps: DiscoveryDeps, issuer: string): Promise<KeySet> {
  const { jwksUrl } = await discover(deps, issuer);
  return readDiscoveredKeys(deps, jwksUrl);
}

/** The keys at the `jwks_uri` of a discovery document. */
export async function readDiscoveredKeys(deps: DiscoveryDeps, jwksUrl: string): Promise<KeySet> {
  const keys = keysIn(await fetchObject(deps, jwksUrl, 'the key set'));
  if (keys === null) throw new DiscoveryError('the key set contains no key for RS256 or ES256');
  return keys;
}

async function fetchObject({ ssrfSafeFetch }: DiscoveryDeps, url: string, what: string) {
  const headers = { Accept: 'application/json' };
  const request = { method: 'GET', headers, timeoutMilliseconds, maxAnswerBytes } as const;
  const { status, body } = await ssrfSafeFetch.send(url, request);
  if (status !== 200) {
    const isPassing = status >= 500 || status === 429;
    throw new DiscoveryError(`${what} was answered with status ${status}`, { isPassing });
  }
  // The decoder ignores a byte order mark.
  const document = jsonIn(new TextDecoder().decode(body));
  if (isObject(document)) return document;
  throw new DiscoveryError(`${what} is not a JSON object, or has more than ${maxAnswerBytes} bytes`);
}
