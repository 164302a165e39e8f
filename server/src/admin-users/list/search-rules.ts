// What a search for users looks for: a typed or pasted text by the kinds of values that it may be.
import { asciiDomain, narrowForms } from '@foyer/contract';

export type SearchTerms = {
  /** The whole uid or member id. */
  exact: string | null;
  /** The start of an email. */
  address: string | null;
  /** Starts of words of the names or the email, with spaces between words and `=` between spellings of one. */
  words: string | null;
  /** The start of the domain of an email. */
  domain: string | null;
};

/** More words than this find hardly fewer users; each costs the database another search. */
const maxWords = 6;
const maxWordCharacters = 64;

export function searchTerms(q: string | null): SearchTerms {
  if (q === null) return { exact: null, address: null, words: null, domain: null };
  const text = onlyEmailOf(q);
  const address = withAsciiDomain(text.toLowerCase().replace(/[’‘ʼ]/g, "'"));
  return {
    exact: text,
    address,
    words: text.includes('@') ? null : wordsOf(text),
    domain: domainOf(address),
  };
}

/**
 * An email out of what mail programs copy: `"Ada L" <ada@example.com>`, `ada@example.com (Ada)` or
 * `mailto:ada@example.com?subject=…`; any other text without what is invisible.
 */
function onlyEmailOf(q: string): string {
  const text = narrowForms(q.replace(/[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu, '')).trim();
  const inText = /<\s*(?:mailto:)?([^\s<>]+@[^\s<>]+?)\s*>/i.exec(text);
  const bare = /(?:^|[\s"'(])([^\s"'(<>]+@[^\s"')<>,;]+\.[^\s"')<>,;]+)/.exec(text);
  const [, email] = inText ?? (text.startsWith('@') || /^mailto:/i.test(text) ? null : bare) ?? [];
  const found = email && !isWhole(text, email) ? email : text.replace(/^mailto:([^?\s]+).*$/is, '$1');
  return found.replace(/[;,\s]+$/, '');
}

/** Returns true if the text is an email by itself, which may contain an apostrophe or a parenthesis. */
function isWhole(text: string, email: string): boolean {
  return !/[\s<>"]/.test(text) && text.endsWith(email) && !text.startsWith("'") && !text.startsWith('(');
}

/** An internationalised domain is stored in its `xn--` form. */
function withAsciiDomain(address: string): string {
  const [domain = ''] = /(?<=^|@)[^\s@]+\.[^\s@]+$/.exec(address) ?? [];
  if (!/[^\0-\x7f]/.test(domain)) return address;
  return address.slice(0, -domain.length) + asciiDomain(domain);
}

/** `@example.com` from its second character on, or a text with a dot that may be a domain. */
function domainOf(address: string): string | null {
  if (/^@[^\s@]+$/.test(address)) return address.slice(1);
  return /^[^\s@.]+\.[^\s@]*$/.test(address) ? address : null;
}

/** A character of these scripts is a word: their names are written without spaces. */
const ownWords = /(?=[\u1100-\u1112\u3041-\u30ff\u3400-\u9fff\u{20000}-\u{3ffff}])/gu;

/** Includes those of transliterations, geresh and gershayim; for the latter a keyboard has the quotation mark. */
const apostrophes =
  /[\u2018\u2019\u201b\u2032\u02b9-\u02bf\ua78c\u05f3\u05f4'`´]|(?<=[\u05d0-\u05ea])"(?=[\u05d0-\u05ea])/g;

function wordsOf(text: string): string | null {
  const words = text
    .normalize('NFKD')
    .toLowerCase()
    .replace(apostrophes, '')
    .replace(/(?<=[\p{L}\p{N}\p{M}])_(?=[\p{L}\p{N}])/gu, ' ')
    .replace(ownWords, ' ')
    .split(/[\s.,;:+@()<>"/\\|&·•‐-―=-]+/)
    .filter((word) => /[^\p{M}]/u.test(word))
    .map((word) => [...word].slice(0, maxWordCharacters).join(''));
  // The longest words are found in the fewest names.
  const longest = [...new Set(words)].sort((left, right) => right.length - left.length).slice(0, maxWords);
  return longest.length === 0 ? null : longest.map((word) => spellingsOf(word).join('=')).join(' ');
}

/**
 * `müller` is written `mueller`, too, and `åse` `aase`; `mueller` may be stored as `müller`, which is folded to `muller`. `æ` is
 * folded to `ae`, so in `kjærgård` only one of the two is short.
 */
function spellingsOf(word: string): string[] {
  const spelledOut = word
    .replace(/([aou])\u0308/g, '$1e')
    .replace(/ø/g, 'oe')
    .replace(/a\u030a/g, 'aa');
  const oneA = word.replace(/aa(?=\p{L})/gu, 'a');
  const short = oneA.replace(/([aou])e(?=\p{L}{2})/gu, '$1');
  return [...new Set([word, spelledOut, oneA, short])];
}
