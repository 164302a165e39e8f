// The IP address of a client: that of the socket, unless TRUST_PROXY names trusted proxies.
import { isIP, isIPv4 } from 'node:net';
import type { Express, NextFunction, Request, Response } from 'express';
import { mappedIPv4 } from '../../src/lib/ip-network.js';
import type { Logger } from '../../src/lib/logger.js';

/**
 * Trusts a number of hops, or these proxies. Some proxies append the port to the IP address of the proxy before them, and an IP
 * address of the link has a zone: Express would take such a proxy for the client, whose limits all clients would then share.
 */
export function trustProxies(app: Express, proxies: number | string | false): void {
  app.set('trust proxy', proxies);
  const isTrusted = app.get('trust proxy fn') as (address: string, hop: number) => boolean;
  app.set('trust proxy', (address: string | undefined, hop: number) =>
    isTrusted(withoutPort(address ?? '').replace(/%.*/, ''), hop),
  );
}

/** Returns null if a trusted proxy sends no IP address. An IPv4 address within an IPv6 address is returned as IPv4. */
export function clientIp(req: Request): string | null {
  const address = req.ip;
  if (!address) return null;
  if (isIPv4(address)) return address;
  const plain = withoutPort(address);
  return isIP(plain) === 0 ? null : (mappedIPv4(plain) ?? plain);
}

/** Some proxies append the port. */
function withoutPort(address: string): string {
  const bare = /^(\d+\.\d+\.\d+\.\d+):\d+$|^\[([^\]]+)\](?::\d+)?$/.exec(address);
  return bare?.[1] ?? bare?.[2] ?? address;
}

/**
 * Warns once if requests are forwarded in a way that leaves all clients with the IP address of a proxy: the proxies are not
 * trusted, or those that are trusted send `Forwarded` (RFC 7239) only.
 */
export function forwardedHeaderWarning(logger: Logger, trustsProxies: boolean) {
  let warned = false;
  return ({ headers }: Request, _res: Response, next: NextFunction): void => {
    const { forwarded, 'x-forwarded-for': xForwardedFor } = headers;
    const isLost = trustsProxies
      ? forwarded !== undefined && xForwardedFor === undefined
      : forwarded !== undefined || xForwardedFor !== undefined;
    if (!warned && isLost) {
      warned = true;
      logger.warn(
        trustsProxies
          ? 'a request came with the header Forwarded, which is not read: let the proxy send X-Forwarded-For'
          : 'a request came with forwarded headers, which are not believed: set TRUST_PROXY to the proxies',
      );
    }
    next();
  };
}
