// SSRF-safe fetch for URLs that clients choose (webhook endpoints, Web Push): https only, no credentials, public IP addresses
// only, no redirects, bounded responses.
import { Resolver, lookup as systemLookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { isUrl } from '@foyer/contract';
import type { Agent } from 'undici';
import { isLoopbackAddress, isPublicAddress } from './public-address.js';

export type ForbiddenUrlReason = 'not-an-address' | 'not-https' | 'credentials' | 'not-public';

/** The URL must not be called. */
export class ForbiddenUrlError extends Error {
  readonly reason: ForbiddenUrlReason;

  constructor(reason: ForbiddenUrlReason) {
    super(sentences[reason]);
    this.name = 'ForbiddenUrlError';
    this.reason = reason;
  }
}

const sentences: Record<ForbiddenUrlReason, string> = {
  'not-an-address': 'must be an https URL of at most 2,048 characters',
  'not-https': 'must start with https://',
  credentials: 'must not contain a user name or a password',
  'not-public': 'must resolve to a public IP address',
};

export type SsrfSafeRequest = {
  /** Default: POST. */
  method?: 'GET' | 'POST';
  headers: Record<string, string>;
  body?: string | Uint8Array;
  /** The time for everything: DNS lookup, connection, and the response to its last byte. */
  timeoutMilliseconds: number;
  /** The rest of the body is not read; the response is valid nevertheless. */
  maxAnswerBytes: number;
};

export type SsrfSafeResponse = {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
};

export type SsrfSafeFetch = {
  /** Validates a URL when it is set: rejects with a ForbiddenUrlError. An unresolvable name passes, since `send` checks again. */
  requireAllowed(address: string): Promise<void>;
  /** Rejects with a ForbiddenUrlError or a network error. A redirect is returned, not followed. */
  send(address: string, request: SsrfSafeRequest): Promise<SsrfSafeResponse>;
  close(): Promise<void>;
};

/** All IP addresses of a name. */
export type Resolve = (hostname: string) => Promise<{ address: string; family: number }[]>;

export type SsrfSafeFetchOptions = {
  /** Is set in development: allows `localhost`, `127.0.0.1` and `[::1]`, with http too. */
  loopback: boolean;
  resolve?: Resolve;
};

const maxUrlCharacters = 2_048;
/** The number of concurrent webhook attempts: one app's slow receiver must not block another app's on the same host. */
const connectionsPerOrigin = 256;
const resolveMilliseconds = 5_000;
/** Strangers choose receivers, any number of them: each would keep a connection open, for as long as it asks. */
const kept = { origins: 64, milliseconds: 1_000 };

export function ssrfSafeFetch(options: SsrfSafeFetchOptions): SsrfSafeFetch {
  const resolve = options.resolve ?? nameServerResolver();

  async function allowedAddresses(hostname: string) {
    const addresses = await resolve(hostname);
    if (addresses.length === 0) throw new Error('the name has no address');
    // One forbidden address is enough: the owner of the name controls which one is tried.
    const allowed = addresses.every(({ address }) => isAllowed(options, hostname, address));
    if (!allowed) throw new ForbiddenUrlError('not-public');
    return addresses;
  }

  // Resolves the name once, at connection time, so that the checked address is the connected one (DNS rebinding).
  const lookup: LookupFunction = (hostname, { all }, callback) => {
    allowedAddresses(hostname).then(
      (addresses) => {
        const [first] = addresses;
        if (all) callback(null, addresses);
        else callback(null, first?.address ?? '', first?.family);
      },
      (error) => callback(error, ''),
    );
  };
  let agent: Agent | undefined;
  let closed = false;

  /** Loads the client with the first request: it takes ten megabytes, and most processes send none for long. */
  async function client() {
    const { Agent, request } = await loadUndici();
    if (closed) throw new Error('the HTTP client is closed');
    const keepAlive = { keepAliveTimeout: kept.milliseconds, keepAliveMaxTimeout: kept.milliseconds };
    agent ??= new Agent({ connections: connectionsPerOrigin, connect: { lookup }, ...keepAlive });
    return { request, dispatcher: agent };
  }

  /** The last used last. */
  const recentOrigins = new Set<string>();

  /** Whether the connection is kept for the next request: for an origin that was called before, among the last ones. */
  function isKept(origin: string): boolean {
    const isRecent = recentOrigins.delete(origin);
    recentOrigins.add(origin);
    const [first] = recentOrigins;
    if (recentOrigins.size > kept.origins) recentOrigins.delete(first as string);
    return isRecent;
  }

  return {
    async requireAllowed(address) {
      const { hostname } = requireAllowedUrl(options, address);
      if (isIP(bare(hostname))) return;
      const checked = allowedAddresses(hostname).catch((error) => {
        if (error instanceof ForbiddenUrlError) throw error;
      });
      await Promise.race([checked, setTimeout(resolveMilliseconds, undefined, { ref: false })]);
    },
    async send(address, { method = 'POST', headers, body, timeoutMilliseconds, maxAnswerBytes }) {
      const url = requireAllowedUrl(options, address);
      const signal = AbortSignal.timeout(timeoutMilliseconds);
      const { request, dispatcher } = await client();
      const answer = await request(url, {
        dispatcher,
        method,
        headers: withUserAgent(headers),
        body: body ?? null,
        signal,
        reset: !isKept(url.origin),
        // Disabled: only the signal ends the request.
        headersTimeout: 0,
        bodyTimeout: 0,
      });
      const read = await readUpTo(answer.body, maxAnswerBytes);
      return { status: answer.statusCode, headers: answer.headers, body: read };
    },
    async close() {
      closed = true;
      await agent?.destroy();
    },
  };
}

/** Firewalls of web applications refuse requests without one, such as the common rules of AWS WAF. */
function withUserAgent(headers: Record<string, string>): Record<string, string> {
  const isNamed = Object.keys(headers).some((name) => name.toLowerCase() === 'user-agent');
  return isNamed ? headers : { ...headers, 'User-Agent': 'Foyer' };
}

/** Checks without DNS. The URL parser has normalized every notation of an IP address. */
function requireAllowedUrl(options: SsrfSafeFetchOptions, address: string): URL {
  if (address.length > maxUrlCharacters || !isUrl(address)) {
    throw new ForbiddenUrlError('not-an-address');
  }
  const url = new URL(address);
  const plain = url.protocol === 'http:' && options.loopback && namesThisMachine(url.hostname);
  if (url.protocol !== 'https:' && !plain) throw new ForbiddenUrlError('not-https');
  if (url.username !== '' || url.password !== '') throw new ForbiddenUrlError('credentials');
  // No lookup happens for an IP address in the URL.
  const named = isIP(bare(url.hostname)) === 0;
  const allowed = named
    ? options.loopback || !isLocalhost(url.hostname)
    : isAllowed(options, url.hostname, bare(url.hostname));
  if (!allowed) throw new ForbiddenUrlError('not-public');
  return url;
}

function isAllowed(options: SsrfSafeFetchOptions, hostname: string, address: string): boolean {
  if (isPublicAddress(address)) return true;
  return options.loopback && namesThisMachine(hostname) && isLoopbackAddress(address);
}

function namesThisMachine(hostname: string): boolean {
  return isLocalhost(hostname) || isLoopbackAddress(hostname);
}

/** RFC 6761: `localhost` and its subdomains. */
function isLocalhost(hostname: string): boolean {
  return /(^|\.)localhost\.?$/.test(hostname);
}

/**
 * Queries the name servers directly: getaddrinfo blocks the libuv threads that file access shares, so slow names would stall
 * the process, and it resolves names of the hosts file.
 */
function nameServerResolver(): Resolve {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  return async (hostname) => {
    if (isLocalhost(hostname)) return systemLookup(hostname, { all: true });
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    if (v4.status === 'rejected' && v6.status === 'rejected') throw v4.reason;
    const found = (answer: PromiseSettledResult<string[]>, family: number) =>
      answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : [];
    return [...found(v4, 4), ...found(v6, 6)];
  };
}

function bare(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '');
}

/**
 * Whichever is loaded first, the package or the copy that is part of Node, serves the global `fetch`; and the package rejects
 * the Content-Length header that Node 20's `fetch` passes on, with every upload to S3. Reading a class loads Node's own copy.
 */
function loadUndici() {
  void globalThis.Headers;
  return import('undici');
}

async function readUpTo(stream: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of stream) {
    parts.push(part);
    bytes += part.byteLength;
    // Leaving the loop closes the connection.
    if (bytes >= maxBytes) break;
  }
  return Buffer.concat(parts).subarray(0, maxBytes);
}
