// The type of a file, by its first bytes; the declared type counts only among harmless text types. And whether a
// browser may display it.
import { limits } from '@foyer/contract';

export const unknownType = 'application/octet-stream';

/** Text types that differ only in name, and that no browser or viewer executes. */
const harmlessTexts = [
  'text/plain',
  'text/csv',
  'text/tab-separated-values',
  'text/markdown',
  'text/calendar',
  'text/vcard',
  'application/json',
  'application/geo+json',
];

/** How an HTML page may begin (WHATWG "MIME Sniffing", 7.1), and other beginnings that browsers treat as HTML. */
const htmlBeginnings =
  /^<(!doctype html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p|img|form|link|meta|base|object|embed|frameset|input|button|video|audio|details|marquee|math|template|noscript|section|span|ul|ol|center|main)([\s>/]|$)/i;

/**
 * `recognised` is the verdict of the file's signature, if it has one; `head` are the first bytes, `whole` when they are
 * all.
 */
export function typeOf(
  recognised: string | undefined,
  head: Uint8Array,
  whole: boolean,
  declared: string,
): string {
  const encoding = encodingOf(head);
  // Signature detection mistakes the byte order mark of UTF-16 for MPEG audio.
  const signed = encoding === 'utf-8' || recognised === 'application/xml' ? recognised : undefined;
  if (signed !== undefined && signed !== 'application/xml') return signed;
  const text = textOf(head, whole, encoding);
  if (text === null) return signed ?? unknownType;
  return markupOf(text) ?? signed ?? (harmlessTexts.includes(declared) ? declared : 'text/plain');
}

/** Decodes as browsers do, by the byte order mark (WHATWG "Encoding", 6). */
function encodingOf([first, second]: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}

/** Returns null if the bytes are not text in this encoding. */
function textOf(head: Uint8Array, whole: boolean, encoding: string): string | null {
  if (head.length === 0) return null;
  let text: string;
  try {
    // `stream` accepts a truncated last character.
    text = new TextDecoder(encoding, { fatal: true }).decode(head, { stream: !whole });
  } catch {
    return null;
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a control character is what tells bytes from a text.
  return /[\x00-\x08\x0e-\x1a\x1c-\x1f]/.test(text) ? null : text;
}

function markupOf(text: string): string | undefined {
  const bare = withoutProlog(text);
  if (/^<(\w+:)?svg[\s>/]/i.test(bare)) return 'image/svg+xml';
  if (/^<html[^>]+xmlns/i.test(bare) && /^\s*<\?xml/i.test(text)) return 'application/xhtml+xml';
  if (htmlBeginnings.test(bare)) return 'text/html';
  if (/^\s*<\?xml/i.test(text)) return 'application/xml';
  return undefined;
}

/** The first element of a document, after blanks, comments, processing instructions and a document type. */
function withoutProlog(text: string): string {
  let rest = text;
  for (;;) {
    const before = rest;
    rest = rest
      .replace(/^[\s\ufeff]+/, '')
      .replace(/^<!--[\s\S]*?(-->|$)/, '')
      .replace(/^<\?[\s\S]*?(\?>|$)/, '')
      .replace(/^<!doctype (?!html)[^[>]*(\[[\s\S]*?\]\s*)?(>|$)/i, '');
    if (rest === before) return rest;
  }
}

/** Returns true if a browser may display it inline: it cannot execute anything. */
export function isInlineType(contentType: string): boolean {
  return matches(limits.shownFileTypes, contentType);
}

/** `allowed` contains types and, as `image/*`, whole families; null allows any. */
export function isAllowed(allowed: readonly string[] | null, contentType: string): boolean {
  return allowed === null || matches(allowed, contentType);
}

function matches(types: readonly string[], contentType: string): boolean {
  const family = `${contentType.split('/')[0]}/*`;
  return types.includes(contentType) || types.includes(family);
}
