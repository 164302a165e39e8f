// Internationalised domain names in the form of the DNS (RFC 5891): `münchen.de` is `xn--mnchen-3ya.de`.
import { domainToASCII } from 'node:url';

/** Returns the domain itself if it is not a valid one. */
export function asciiDomain(domain: string): string {
  return domainToASCII(domain) || domain;
}
