// Whose call it is, by address: the socket's, unless TRUST_PROXY says which proxies to believe.
import { isIP, isIPv4, isIPv6 } from 'node:net';
import type { Request } from 'express';

/** Null where a proxy that is believed names no address. IPv4 is written as IPv4, also where it came mapped into IPv6. */
export function clientIp(req: Request): string | null {
  const address = req.ip;
  if (!address) return null;
  if (isIPv4(address)) return address;
  // Some proxies write the port too.
  const bare = /^(\d+\.\d+\.\d+\.\d+):\d+$|^\[([^\]]+)\](?::\d+)?$/.exec(address);
  const plain = bare?.[1] ?? bare?.[2] ?? address;
  return isIP(plain) === 0 ? null : (mappedIPv4(plain) ?? plain);
}

/** What limits count by: an IPv4 address whole, IPv6 by its /64, since one customer holds all of that. */
export function networkOf(address: string | null): string {
  if (address === null) return 'unknown';
  if (!isIPv6(address)) return address;
  return groupsOf(address)
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':');
}

function mappedIPv4(address: string): string | undefined {
  if (isIPv4(address)) return address;
  const groups = groupsOf(address);
  const [high = 0, low = 0] = groups.slice(6);
  const mapped = groups[5] === 0xffff && groups.slice(0, 5).every((group) => group === 0);
  return mapped ? [high >> 8, high & 255, low >> 8, low & 255].join('.') : undefined;
}

/** The eight groups of an IPv6 address. */
function groupsOf(address: string): number[] {
  const [head = [], tail] = (address.split('%')[0] as string).split('::').map(readGroups);
  if (tail === undefined) return head;
  const zeros = new Array<number>(8 - head.length - tail.length).fill(0);
  return [...head, ...zeros, ...tail];
}

/** Groups between colons; the last may be an IPv4 address, which is two of them. */
function readGroups(text: string): number[] {
  if (text === '') return [];
  return text.split(':').flatMap((group) => {
    if (!group.includes('.')) return Number.parseInt(group, 16);
    const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number);
    return [(a << 8) | b, (c << 8) | d];
  });
}
