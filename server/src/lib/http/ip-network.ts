// IP networks by which callers are counted: an IPv4 address; for IPv6 the /64 that every customer has at least, and the /56
// and /48 that many customers and most hosts can have.
import { isIPv4, isIPv6 } from 'node:net';

/** The narrowest network of an address. `unknown` where a trusted proxy names no address. */
export function networkOf(ipAddress: string | null): string {
  if (ipAddress === null) return 'unknown';
  return isIPv6(ipAddress) ? prefix64(groupsOf(ipAddress)) : ipAddress;
}

/** The networks of an address, the narrowest first: one for IPv4, three for IPv6. */
export function networksOf(ipAddress: string | null): string[] {
  if (ipAddress === null || !isIPv6(ipAddress)) return [networkOf(ipAddress)];
  const groups = groupsOf(ipAddress);
  const [first = 0, second = 0, third = 0, fourth = 0] = groups;
  const prefix48 = [first, second, third].map(hexadecimal).join(':');
  return [prefix64(groups), `${prefix48}:${hexadecimal(fourth & 0xff00)}/56`, `${prefix48}/48`];
}

/** The IPv4 address that an IPv6 address maps, or undefined. */
export function mappedIPv4(ipAddress: string): string | undefined {
  if (isIPv4(ipAddress)) return ipAddress;
  const groups = groupsOf(ipAddress);
  const [high = 0, low = 0] = groups.slice(6);
  const mapped = groups[5] === 0xffff && groups.slice(0, 5).every((group) => group === 0);
  return mapped ? [high >> 8, high & 255, low >> 8, low & 255].join('.') : undefined;
}

function prefix64(groups: number[]): string {
  return groups.slice(0, 4).map(hexadecimal).join(':');
}

function hexadecimal(group: number): string {
  return group.toString(16);
}

/** The eight groups of an IPv6 address. */
function groupsOf(ipAddress: string): number[] {
  const [head = [], tail] = (ipAddress.split('%')[0] as string).split('::').map(readGroups);
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
