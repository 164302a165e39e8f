// The origins that may call from a browser, as its `Origin` header spells them. Other spellings of the same are converted.
import * as z from 'zod';
import { text } from '../input-values.js';
import { maxUrlCharacters } from '../limits.js';
import { withoutInvisible } from '../typed-text.js';
import { isUrl } from '../url.js';

export const OriginInput = text({ max: maxUrlCharacters }).transform((given, context) => {
  const pasted = withoutInvisible(given).trim();
  const origin = originOf(pasted);
  if (origin !== null) return origin;
  const message =
    pasted === '*'
      ? 'is not an origin: an empty list allows all'
      : 'must be an origin such as https://app.example.com, https://*.example.com or capacitor://localhost';
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
});

/** Schemes that have no origin, or pages of which send `null`. */
const withoutOrigin = /^(?:javascript|data|vbscript|blob|about|filesystem|view-source|mailto|tel|wss?|ftp):/;

/** Null if the text is no origin: it has a path, a query, credentials, or a `*` elsewhere. */
function originOf(given: string): string | null {
  // Pages that are opened from a file send `null`.
  if (/^(?:null|file(?::\/{0,3})?)$/i.test(given)) return 'null';
  // `*` is no character of a host: a label takes its place for the parser.
  const [, scheme = '', star = '', rest = ''] =
    /^([a-z][a-z0-9+.-]*:\/\/)(\*\.)?([^*\s\\]+)$/i.exec(given) ?? [];
  const plain = `${scheme}${rest}`;
  if (rest === '' || !isUrl(plain)) return null;
  const url = new URL(plain);
  const { protocol, host, pathname, search, hash, username, password } = url;
  const isBare = ['', '/'].includes(pathname) && `${search}${hash}${username}${password}` === '';
  if (!isBare || host === '' || withoutOrigin.test(protocol) || /[@?#]/.test(rest)) return null;
  if (star === '') return `${protocol}//${host}`;
  return allowsStar(url) ? `${protocol}//*.${host}` : null;
}

/** A star stands neither for a whole top-level domain nor for an IP address. */
function allowsStar({ protocol, hostname }: URL): boolean {
  if (protocol !== 'https:' && protocol !== 'http:') return false;
  if (hostname.startsWith('[') || /^[\d.]+$/.test(hostname)) return false;
  return hostname === 'localhost' || /^[^.]+(?:\.[^.]+)+$/.test(hostname);
}
