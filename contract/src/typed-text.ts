// What people type and paste: invisible characters, digits and signs of other scripts. Only what is unmistakable is corrected.

import { isUrl } from './url.js';

/** Characters that show nothing, wherever they stand: zero-width, direction marks, fillers, the soft hyphen. */
const invisible = /[\p{Default_Ignorable_Code_Point}\p{Cf}\u2800]/gu;

export function withoutInvisible(text: string): string {
  return text.replace(invisible, '');
}

/**
 * A text of one line that changes nothing around it: without control characters, and without the marks that embed, isolate or
 * override a direction, by which a name could be read in another order. The marks of a single letter's direction remain.
 */
export function withoutControls(text: string): string {
  return text.replace(/[\t-\r\u0085\u2028\u2029]+/g, ' ').replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '');
}

/** The same for a text of several lines. */
export function linesWithoutControls(text: string): string {
  return text
    .split(/\r\n|[\r\n]/)
    .map(withoutControls)
    .join('\n');
}

/** Whether a text shows anything: a name of invisible characters only is no name. */
export function isVisible(text: string): boolean {
  return /[^\p{White_Space}\p{Cc}]/u.test(withoutInvisible(text));
}

/** The letters, digits and signs of ASCII, of which keyboards for Chinese, Japanese and Korean type wide forms. */
export function narrowForms(text: string): string {
  return text
    .replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replace(/[\u3002\uff61]/g, '.')
    .replace(/\ufe6b/g, '@')
    .replace(/\u3000/g, ' ');
}

/**
 * The form of an email by which it is compared; the schema judges whether it is one. No email begins or ends with the quotation
 * marks, angle brackets and separators that mail programs put around one.
 */
export function emailForm(typed: string): string {
  const email = narrowForms(withoutInvisible(typed))
    .replace(/^[\s"<\u201c\u201e]+|[\s">,;\u201c\u201d]+$/g, '')
    .replace(/^mailto:(?:\/\/)?([^?]*).*$/is, (_link, email: string) => decoded(email))
    .toLowerCase();
  const domain = email.lastIndexOf('@') + 1;
  return email.slice(0, domain) + asciiDomain(email.slice(domain));
}

/**
 * An international domain in the form of the DNS (`xn--`, RFC 5891), in which browsers send it and mail servers know it. One with a
 * label that only looks like ASCII, such as `ﬁ`, or with symbols, stays as it is.
 */
export function asciiDomain(domain: string): string {
  if (/^[\0-\x7f]*$/.test(domain) || !/^[\p{L}\p{M}\p{N}.-]+$/u.test(domain)) return domain;
  const url = `https://${domain}`;
  const labels = isUrl(url) ? new URL(url).hostname.split('.') : [];
  const isExact = domain
    .split('.')
    .every((label, place) => /^[\0-\x7f]*$/.test(label) || labels[place]?.startsWith('xn--'));
  return isExact ? labels.join('.') : domain;
}

/** A link is percent-encoded (RFC 6068). Empty if its text is not UTF-8. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

/** Quotation marks, brackets, full stops and the marks of chats around what was copied out of a sentence. */
function withoutPunctuationAround(text: string): string {
  return text.replace(/^[\p{P}`]+|[\p{P}`]+$/gu, '');
}

function withoutSeparators(text: string): string {
  return text.replace(/[\p{White_Space}\p{Pd}\u2212\u30fc\uff70]/gu, '');
}

/**
 * Digits of any script in ASCII, without the spaces, line ends and dashes that mails and keyboards put between them. Where
 * other keyboards have the dash, a Japanese one types a long vowel mark.
 */
export function digitsForm(typed: string): string {
  return withoutPunctuationAround(withoutSeparators(withoutInvisible(typed))).replace(/\p{Nd}/gu, (digit) =>
    String(digitValue(digit.codePointAt(0) as number)),
  );
}

/**
 * A recovery code without the spaces and dashes in it. Its alphabet has no `i`, `l`, `o` and `u`: the first three are read as
 * the digits that they look like.
 */
export function recoveryCodeForm(typed: string): string {
  return withoutPunctuationAround(withoutSeparators(narrowForms(withoutInvisible(typed))))
    .toLowerCase()
    .replace(/[il]/g, '1')
    .replace(/o/g, '0');
}

/** Unicode assigns the ten digits of a script in order; some sets of ten follow each other without a gap. */
function digitValue(codePoint: number): number {
  let zero = codePoint;
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return (codePoint - zero) % 10;
}
