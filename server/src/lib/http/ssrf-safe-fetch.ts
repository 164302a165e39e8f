// The one guard for every address that a stranger gives us (webhook endpoints, Web Push): nobody may use the service to
// reach what only the service can reach. https alone, no credentials, public addresses alone, no redirects, bounded answers.
import { Resolver, lookup as systemLookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { Agent, request } from 'undici';
import { isLoopbackAddress, isPublicAddress } from './public-address.js';

export type ForbiddenUrlReason = 'not-an-address' | 'not-https' | 'credentials' | 'not-public';

/** The address may not be called, whatever answers there. */
export class ForbiddenUrlError extends Error {
  readonly reason: ForbiddenUrlReason;

  constructor(reason: ForbiddenUrlReason) {
    super(sentences[reason]);
    this.name = 'ForbiddenUrlError';
    this.reason = reason;
  }
}

const sentences: Record<ForbiddenUrlReason, string> = {
  'not-an-address': 'must be an https address of at most 2,048 characters',
  'not-https': 'must start with https://',
  credentials: 'must not hold a user name or a password',
  'not-public': 'must lead to a public address',
};

export type SsrfSafeRequest = {
  method?: 'POST' | 'GET';
  headers: Record<string, string>;
  body?: string | Uint8Array;
  /** For all of it: name, connection, and the answer to its last byte. */
  timeoutMilliseconds: number;
  /** What is beyond this is not read; the status counts all the same. */
  maxAnswerBytes: number;
};

export type SsrfSafeResponse = {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
};

export type SsrfSafeFetch = {
  /**
   * For the moment in which somebody gives the address: rejects with an ForbiddenUrlError. A name that does not resolve now
   * passes, since each `send` judges anew.
   */
  requireAllowed(address: string): Promise<void>;
  /** Rejects with an ForbiddenUrlError, or with what went wrong on the way. A redirect is an answer like any other. */
  send(address: string, request: SsrfSafeRequest): Promise<SsrfSafeResponse>;
  close(): Promise<void>;
};

/** Every address of a name. */
export type Resolve = (hostname: string) => Promise<{ address: string; family: number }[]>;

export type SsrfSafeFetchOptions = {
  /** Development alone: this machine may be called by its own names (`localhost`, `127.0.0.1`, `[::1]`), by http too. */
  loopback: boolean;
  resolve?: Resolve;
};

const maxAddressCharacters = 2_048;
/** As many as attempts run at once: one app's slow receiver must not hold back another's on the same host. */
const connectionsPerOrigin = 256;
const resolveMilliseconds = 5_000;

export function ssrfSafeFetch(options: SsrfSafeFetchOptions): SsrfSafeFetch {
  const resolve = options.resolve ?? askNameServers();

  async function allowedAddresses(hostname: string) {
    const addresses = await resolve(hostname);
    if (addresses.length === 0) throw new Error('the name has no address');
    // One bad address is enough: whoever answers for the name chooses which of them is tried.
    const allowed = addresses.every(({ address }) => isAllowed(options, hostname, address));
    if (!allowed) throw new ForbiddenUrlError('not-public');
    return addresses;
  }

  // The name is resolved here alone, in the moment of connecting: what was judged is what is connected to, however often
  // the name changes.
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
  const agent = new Agent({ connections: connectionsPerOrigin, connect: { lookup } });

  return {
    async requireAllowed(address) {
      const { hostname } = requireAllowedUrl(options, address);
      if (isIP(bare(hostname))) return;
      const judged = allowedAddresses(hostname).catch((error) => {
        if (error instanceof ForbiddenUrlError) throw error;
      });
      await Promise.race([judged, pause(resolveMilliseconds)]);
    },
    async send(address, { method = 'POST', headers, body, timeoutMilliseconds, maxAnswerBytes }) {
      const url = requireAllowedUrl(options, address);
      const signal = AbortSignal.timeout(timeoutMilliseconds);
      const answer = await request(url, {
        dispatcher: agent,
        method,
        headers,
        body: body ?? null,
        signal,
        // Off: the signal alone ends it.
        headersTimeout: 0,
        bodyTimeout: 0,
      });
      const read = await beginningOf(answer.body, maxAnswerBytes);
      return { status: answer.statusCode, headers: answer.headers, body: read };
    },
    close: () => agent.destroy(),
  };
}

/** What can be said without asking anybody. A URL's parser has brought every form of an IP address into its usual one. */
function requireAllowedUrl(options: SsrfSafeFetchOptions, address: string): URL {
  if (address.length > maxAddressCharacters || !URL.canParse(address)) {
    throw new ForbiddenUrlError('not-an-address');
  }
  const url = new URL(address);
  const plain = url.protocol === 'http:' && options.loopback && namesThisMachine(url.hostname);
  if (url.protocol !== 'https:' && !plain) throw new ForbiddenUrlError('not-https');
  if (url.username !== '' || url.password !== '') throw new ForbiddenUrlError('credentials');
  // For an address in the URL no lookup happens on the way.
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

/** RFC 6761: whatever ends so is this machine. */
function isLocalhost(hostname: string): boolean {
  return /(^|\.)localhost\.?$/.test(hostname);
}

/**
 * Asks the name servers, and never the system: its look-ups take turns in the few threads that files are read in too, so
 * that names which answer slowly would stop the process. Nor has a stranger any business with the names of the hosts file.
 */
function askNameServers(): Resolve {
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

async function beginningOf(stream: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Buffer> {
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

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds).unref());
}
