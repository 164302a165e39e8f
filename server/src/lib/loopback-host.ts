// Whether a host of a URL or of a `Host` header is this machine.
import { isIPv4 } from 'node:net';

export function isLoopbackHost(host: string): boolean {
  if (host === 'localhost' || host === '[::1]' || host === '::1') return true;
  const address = host.replace(/^::ffff:/, '');
  return isIPv4(address) && address.startsWith('127.');
}
