// Texts that others chose, within a line of ours.

/** A name that is safe in a header, in a sentence and on a terminal, where control characters could forge further lines. */
export function oneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/**
 * The same without what mail programs turn into links: names are chosen by others, and a mail to a stranger must not carry the
 * address of a site. `Example.com` becomes `Example com`.
 */
export function withoutLinks(text: string): string {
  return oneLine(text)
    .replace(/:\/+/g, ' ')
    .replace(/(?<=[\p{L}\p{N}])[.\u3002\uff0e\uff61]+(?=\p{L})/gu, ' ')
    .replace(/@(?=\S)/g, ' ');
}
