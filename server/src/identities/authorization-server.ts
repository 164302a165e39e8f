// The endpoints of a provider of the settings for sign-in by redirect, which its discovery document names. Known endpoints are
// used while the provider is down, as its keys are.
import { isUrl } from '@foyer/contract';
import {
  DiscoveryError,
  discover,
  ForbiddenUrlError,
  type SsrfSafeFetch,
} from '../../engines/safe-fetch/index.js';
import type { Providers, RedirectServer } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import type { Clock } from '../lib/clock.js';
import type { Logger } from '../lib/logger.js';
import { recentValues } from '../lib/recent-values.js';

const rememberedIssuers = 200;
const freshMilliseconds = 10 * 60_000;
/** Anyone can begin a sign-in, so a provider that is down is asked this often. */
const pauseMilliseconds = 2_000;
/** The pause while endpoints are known. */
const longPauseMilliseconds = 30_000;

export function authorizationServers(deps: {
  ssrfSafeFetch: SsrfSafeFetch;
  clock: Clock;
  logger: Logger;
}): Providers['serverOf'] {
  const recent = <Value>(milliseconds: number) =>
    recentValues<Value>(deps.clock, { milliseconds, entries: rememberedIssuers });
  const known = recent<RedirectServer>(freshMilliseconds);
  const last = recent<RedirectServer>(Number.POSITIVE_INFINITY);
  /** The last ones of providers that are down. */
  const old = recent<RedirectServer>(longPauseMilliseconds);
  const failures = recent<{ cause: unknown }>(pauseMilliseconds);
  const reading = new Map<string, Promise<RedirectServer>>();

  async function read(issuer: string): Promise<RedirectServer> {
    try {
      const { document } = await discover(deps, issuer);
      const server = serverIn(issuer, document);
      known.set(issuer, server);
      last.set(issuer, server);
      return server;
    } catch (cause) {
      deps.logger.warn({ issuer, err: cause }, 'the endpoints of an identity provider cannot be read');
      if (!isPassing(cause)) last.delete(issuer);
      const server = last.get(issuer);
      if (server) {
        old.set(issuer, server);
        return server;
      }
      failures.set(issuer, { cause });
      throw unavailable(cause);
    } finally {
      reading.delete(issuer);
    }
  }

  return async (issuer) => {
    const server = known.get(issuer) ?? old.get(issuer);
    if (server) return server;
    const failure = failures.get(issuer);
    if (failure) throw unavailable(failure.cause);
    const running = reading.get(issuer) ?? read(issuer);
    reading.set(issuer, running);
    return running;
  };
}

/** Also a network error. Otherwise the provider has other endpoints now, or none. */
function isPassing(cause: unknown): boolean {
  return cause instanceof DiscoveryError ? cause.isPassing : !(cause instanceof ForbiddenUrlError);
}

function unavailable(cause: unknown): ApiError {
  return new ApiError('request/unavailable', { retryAfterSeconds: pauseMilliseconds / 1_000, cause });
}

/** Throws a DiscoveryError for a document without the endpoints. */
export function serverIn(issuer: string, document: Record<string, unknown>): RedirectServer {
  const { token_endpoint_auth_methods_supported: methods, userinfo_endpoint: userInfo } = document;
  return {
    issuer,
    authorization_endpoint: endpointIn(document, 'authorization_endpoint'),
    token_endpoint: endpointIn(document, 'token_endpoint'),
    authorization_response_iss_parameter_supported:
      document.authorization_response_iss_parameter_supported === true,
    ...(isEndpoint(userInfo) && { userinfo_endpoint: userInfo }),
    ...(Array.isArray(methods) && { token_endpoint_auth_methods_supported: methods.map(String) }),
  };
}

function endpointIn(document: Record<string, unknown>, name: string): string {
  const { [name]: url } = document;
  if (isEndpoint(url)) return url;
  throw new DiscoveryError(`the discovery document has no valid ${name}`);
}

/** Browsers are sent to one of them: a URL of another scheme could be a script. */
function isEndpoint(url: unknown): url is string {
  return typeof url === 'string' && /^https?:\/\/[\x21-\x7e]+$/.test(url) && isUrl(url);
}
