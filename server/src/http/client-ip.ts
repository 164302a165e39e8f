// Whose call it is, by address: the socket's, unless TRUST_PROXY says which proxies to believe.
import { isIPv6 } from 'node:net';
import type { Request } from 'express';

const mappedPrefix = '::ffff:';

export function clientIp(req: Request): string | null {
  const address = req.ip;
  if (!address) return null;
  const mapped = address.toLowerCase().startsWith(mappedPrefix) && address.includes('.');
  return mapped ? address.slice(mappedPrefix.length) : address;
}

/** What limits count by: an IPv4 address whole, IPv6 by its /64, since one customer holds all of that. */
export function networkOf(address: string | null): string {
  if (address === null) return 'unknown';
  if (!isIPv6(address)) return address;
  const [head = '', tail] = (address.split('%')[0] as string).split('::');
  const groups = head === '' ? [] : head.split(':');
  if (tail !== undefined) {
    const rest = tail === '' ? [] : tail.split(':');
    while (groups.length + rest.length < 8) groups.push('0');
    groups.push(...rest);
  }
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
