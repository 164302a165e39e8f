// Which IP addresses a stranger may send us to: those of the public internet, and no other. Whatever is not known to be
// public is refused, so a range that nobody thought of is closed and not open.
import ipaddr from 'ipaddr.js';

/** `literal` is an address as the operating system or the URL standard writes it, with or without the brackets of a URL. */
export function isPublicAddress(literal: string): boolean {
  const address = parsed(literal);
  if (address === null) return false;
  if (address.kind() === 'ipv4') return address.range() === 'unicast' && address.toString() !== azureHost;
  const v6 = address as ipaddr.IPv6;
  const embedded = embeddedIpv4(v6);
  if (embedded) return isPublicAddress(embedded);
  // What is outside 2000::/3 was given to nobody; the library calls some of it unicast.
  return v6.match(globalUnicast) && v6.range() === 'unicast';
}

export function isLoopbackAddress(literal: string): boolean {
  const address = parsed(literal);
  if (address === null) return false;
  const mapped = address.kind() === 'ipv6' ? embeddedIpv4(address as ipaddr.IPv6) : null;
  return mapped ? isLoopbackAddress(mapped) : address.range() === 'loopback';
}

/** Where a machine in Azure finds the host it runs on, at an address that looks like any other. */
const azureHost = '168.63.129.16';
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');
/** The IPv4 address in the last four bytes is the one that is reached: IPv4-mapped, and NAT64's well-known prefix. */
const carriers = ['::ffff:0:0/96', '64:ff9b::/96'].map((range) => ipaddr.IPv6.parseCIDR(range));

function embeddedIpv4(address: ipaddr.IPv6): string | null {
  if (!carriers.some((range) => address.match(range))) return null;
  return address.toByteArray().slice(-4).join('.');
}

/** Null for a name, and for an address of one network interface (`fe80::1%eth0`). */
function parsed(literal: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  const bare = literal.replace(/^\[|\]$/g, '');
  // The four-part form alone: every other one is the URL standard's to normalise before this.
  if (ipaddr.IPv4.isValidFourPartDecimal(bare)) return ipaddr.IPv4.parse(bare);
  if (!/^[0-9a-f:.]+$/i.test(bare)) return null;
  // Through the URL standard, since the library takes `::8.8.8.8` for `::ffff:8.8.8.8`.
  const whole = `http://[${bare}]`;
  return URL.canParse(whole) ? ipaddr.IPv6.parse(new URL(whole).hostname.slice(1, -1)) : null;
}
