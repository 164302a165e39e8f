// Compares entity tags as the service does: proxies make a tag weak, append the coding of a compressed response, or strip the
// quotes.
const appendedCoding = /[-;:+.]{1,2}(?:x-)?(?:gzip|br|brotli|zstd|deflate|compress)$/i;

/** True if a header such as `If-Match` lists the tag, whose text is a number in quotes. */
export function hasTag(header: string | undefined, tag: string): boolean {
  const plain = (text: string) =>
    text.trim().replace(/^W\//i, '').replace(/"/g, '').replace(appendedCoding, '');
  if (header === undefined) return false;
  return header.trim() === '*' || header.split(',').some((listed) => plain(listed) === plain(tag));
}
