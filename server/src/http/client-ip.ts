// The IP address of a caller: the socket's, unless TRUST_PROXY says which proxies to believe.
import { isIP, isIPv4 } from 'node:net';
import type { Request } from 'express';
import { mappedIPv4 } from '../lib/http/ip-network.js';

/** Null where a trusted proxy names no address. IPv4 is written as IPv4, also where it came mapped into IPv6. */
export function clientIp(req: Request): string | null {
  const address = req.ip;
  if (!address) return null;
  if (isIPv4(address)) return address;
  // Some proxies write the port too.
  const bare = /^(\d+\.\d+\.\d+\.\d+):\d+$|^\[([^\]]+)\](?::\d+)?$/.exec(address);
  const plain = bare?.[1] ?? bare?.[2] ?? address;
  return isIP(plain) === 0 ? null : (mappedIPv4(plain) ?? plain);
}
