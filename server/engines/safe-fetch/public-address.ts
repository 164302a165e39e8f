// Whether an IP address is public. An allowlist: a range that is not known to be public is refused.
import ipaddr from 'ipaddr.js';

/** `literal` is an IP address as the operating system or the URL standard writes it, with or without brackets. */
export function isPublicAddress(literal: string): boolean {
  const address = parsed(literal);
  if (address === null) return false;
  if (address.kind() === 'ipv4') return address.range() === 'unicast' && address.toString() !== azureHost;
  const v6 = address as ipaddr.IPv6;
  const embedded = embeddedIpv4(v6);
  if (embedded) return isPublicAddress(embedded);
  // Ranges outside 2000::/3 are unassigned; the library calls some of them unicast.
  return v6.match(globalUnicast) && v6.range() === 'unicast';
}

export function isLoopbackAddress(literal: string): boolean {
  const address = parsed(literal);
  if (address === null) return false;
  const mapped = address.kind() === 'ipv6' ? embeddedIpv4(address as ipaddr.IPv6) : null;
  return mapped ? isLoopbackAddress(mapped) : address.range() === 'loopback';
}

/** The host of an Azure virtual machine, at an address in a public range. */
const azureHost = '168.63.129.16';
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');
/** Prefixes with an IPv4 address in the last four bytes: IPv4-mapped, and the well-known prefix of NAT64. */
const carriers = ['::ffff:0:0/96', '64:ff9b::/96'].map((range) => ipaddr.IPv6.parseCIDR(range));

function embeddedIpv4(address: ipaddr.IPv6): string | null {
  if (!carriers.some((range) => address.match(range))) return null;
  return address.toByteArray().slice(-4).join('.');
}

/** Returns null for a name, and for an address with a zone (`fe80::1%eth0`). */
function parsed(literal: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  const bare = literal.replace(/^\[|\]$/g, '');
  // This is the four-part form: the URL standard has normalized others before.
  if (ipaddr.IPv4.isValidFourPartDecimal(bare)) return ipaddr.IPv4.parse(bare);
  if (!/^[0-9a-f:.]+$/i.test(bare)) return null;
  // Parsed by the URL standard, since the library reads `::8.8.8.8` as `::ffff:8.8.8.8`.
  const whole = `http://[${bare}]`;
  return URL.canParse(whole) ? ipaddr.IPv6.parse(new URL(whole).hostname.slice(1, -1)) : null;
}
