// The variable TRUST_PROXY: a number of hops, or a list of proxies.
import { isIP } from 'node:net';

export function isTrustProxy(value: string): boolean {
  return /^\d{1,3}$/.test(value) || value.split(',').every((entry) => isProxy(entry.trim()));
}

/** The `trust proxy` setting of Express. */
export function readTrustProxy(value: string | undefined): number | string | false {
  if (value === undefined) return false;
  return /^\d+$/.test(value) ? Number(value) : value;
}

/** An entry that Express accepts in the list form of `trust proxy`: not `0.0.0.0/0`, with which every client would choose its IP. */
function isProxy(entry: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(entry)) return true;
  const [ip = '', bits, ...more] = entry.split('/');
  const version = isIP(ip);
  if (version === 0 || more.length > 0) return false;
  return bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}
