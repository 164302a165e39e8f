// The IP address of a client: that of the socket, unless TRUST_PROXY names trusted proxies.
import { isIP, isIPv4 } from 'node:net';
import type { NextFunction, Request, Response } from 'express';
import { mappedIPv4 } from '../../src/lib/ip-network.js';
import type { Logger } from '../../src/lib/logger.js';

/** Returns null if a trusted proxy sends no IP address. An IPv4 address within an IPv6 address is returned as IPv4. */
export function clientIp(req: Request): string | null {
  const address = req.ip;
  if (!address) return null;
  if (isIPv4(address)) return address;
  // Some proxies append the port.
  const bare = /^(\d+\.\d+\.\d+\.\d+):\d+$|^\[([^\]]+)\](?::\d+)?$/.exec(address);
  const plain = bare?.[1] ?? bare?.[2] ?? address;
  return isIP(plain) === 0 ? null : (mappedIPv4(plain) ?? plain);
}

/** Warns once if an untrusted proxy forwards requests, since all clients then share its IP address. */
export function forwardedHeaderWarning(logger: Logger) {
  let warned = false;
  return ({ headers }: Request, _res: Response, next: NextFunction): void => {
    if (!warned && (headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined)) {
      warned = true;
      logger.warn(
        'a request came with forwarded headers, which are not believed: set TRUST_PROXY to the proxies',
      );
    }
    next();
  };
}
