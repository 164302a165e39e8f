// IP networks by which callers are counted: an IPv4 address; for IPv6 the /64 that every customer has at least, and the /56
// and /48 that many customers and most hosts can have. A tunnel counts as the IPv4 address at its end, whose holder would have
// further shares by it.
import { isIPv4, isIPv6 } from 'node:net';

/** The narrowest network of an address. `unknown` where a trusted proxy names no address. */
export function networkOf(ip: string | null): string {
  return networksOf(ip)[0] as string;
}

/** The networks of an address, the narrowest first: one for IPv4, three for IPv6. */
export function networksOf(ip: string | null): string[] {
  const counted = throughTunnel(ip);
  if (counted === null || !isIPv6(counted)) return [counted ?? 'unknown'];
  const groups = groupsOf(counted);
  const [first = 0, second = 0, third = 0, fourth = 0] = groups;
  const prefix48 = [first, second, third].map(hexadecimal).join(':');
  return [prefix64(groups), `${prefix48}:${hexadecimal(fourth & 0xff00)}/56`, `${prefix48}/48`];
}

/**
 * The networks that share a budget of strangers, the narrowest first. IPv4 addresses are rented by the /24, so here it counts,
 * too; as a rate limit it would hit the many customers behind the IP addresses of one carrier.
 */
export function networkSharesOf(ip: string | null): string[] {
  const counted = throughTunnel(ip);
  if (counted === null || isIPv6(counted)) return networksOf(counted);
  return [counted, `${counted.slice(0, counted.lastIndexOf('.'))}.0/24`];
}

/**
 * The networks by which a draw chooses between IP addresses, the widest first: a host, or the customers of one provider, have
 * many IP addresses in few of them.
 */
export function drawnNetworksOf(ip: string | null): string[] {
  const counted = throughTunnel(ip);
  if (counted === null || isIPv6(counted)) return networksOf(counted).toReversed();
  const [first, second, third] = counted.split('.');
  return [`${first}.${second}/16`, `${first}.${second}.${third}/24`, counted];
}

/**
 * The IPv4 address at the end of a tunnel: 6to4 has it after its prefix (RFC 3056), Teredo inverted at the end (RFC 4380). Only
 * for counting: anyone can write such an IP address with 127.0.0.1 in it, which must not be trusted.
 */
function throughTunnel(ip: string | null): string | null {
  if (ip === null || !isIPv6(ip)) return ip;
  const [first = 0, second = 0, third = 0, , , , seventh = 0, eighth = 0] = groupsOf(ip);
  if (first === 0x2002) return dotted(second, third);
  return first === 0x2001 && second === 0 ? dotted(seventh ^ 0xffff, eighth ^ 0xffff) : ip;
}

/**
 * The prefixes of 96 bits before an IPv4 address: mapped (RFC 4291), and translated (RFC 6052). Behind a translator every IPv4
 * client has an IP address of one /64, and one of them would use up the limits of all.
 */
const ipv4Prefixes = ['0:0:0:0:0:ffff', '64:ff9b:0:0:0:0'];

/** The IPv4 address that an IPv6 address contains, or undefined. */
export function mappedIPv4(ip: string): string | undefined {
  if (isIPv4(ip)) return ip;
  const groups = groupsOf(ip);
  const [high = 0, low = 0] = groups.slice(6);
  const prefix = groups.slice(0, 6).map(hexadecimal).join(':');
  return ipv4Prefixes.includes(prefix) ? dotted(high, low) : undefined;
}

function dotted(high: number, low: number): string {
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

function prefix64(groups: number[]): string {
  return groups.slice(0, 4).map(hexadecimal).join(':');
}

function hexadecimal(group: number): string {
  return group.toString(16);
}

/** The eight groups of an IPv6 address. */
function groupsOf(ip: string): number[] {
  const [head = [], tail] = (ip.split('%')[0] as string).split('::').map(readGroups);
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
