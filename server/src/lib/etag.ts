// Entity tags and their preconditions (RFC 9110, 8.8.3, 13.1.1 and 13.1.2), as proxies and clients alter them. A proxy that
// compresses a response makes its tag weak, or appends the coding to it, and does not restore the tag in requests. Each of
// our tags identifies one state forever, so every such form still identifies exactly that state.

/**
 * A tag, codings after its quotes, and a comma unless it is the last. Without quotes, which some clients strip, a tag
 * ends at whitespace or a comma. Elements of the list may be empty (RFC 9110, 5.6.1).
 */
const listed =
  /[ \t,]*(?:W\/)?(?:"([\x21\x23-\x7e\x80-\xff]*)"((?:[-;:+.]+[a-z]+)+)?|([^\s",]+))[ \t]*(?:,|$)/iy;

/** The suffix that Apache, Caddy, Jetty, LiteSpeed and others append. Each of two proxies in a row appends its own. */
const appendedCodings = /(?:[-;:+.]{1,2}(?:x-)?(?:gzip|gz|br|brotli|zstd|deflate|compress|dcb|dcz))+$/i;

/** Returns true if the client has the representation with this tag. */
export function matchesIfNoneMatch(ifNoneMatch: string | undefined, etag: string): boolean {
  return ifNoneMatch !== undefined && isListed(ifNoneMatch, etag);
}

/**
 * Returns true if the state that the client has seen is current. Also for a weak tag: RFC 9110 demands the strong comparison,
 * by which no client behind a compressing proxy could ever change anything.
 */
export function matchesIfMatch(ifMatch: string, etag: string): boolean {
  return isListed(ifMatch, etag);
}

function isListed(header: string, etag: string): boolean {
  if (header.trim() === '*') return true;
  const own = etag.slice(1, -1);
  return tagsIn(header).some((tag) => tag === own || tag.replace(appendedCodings, '') === own);
}

/** Returns the tags without their quotes. Empty if the header is not a list of entity tags. */
function tagsIn(header: string): string[] {
  const tags: string[] = [];
  listed.lastIndex = 0;
  while (listed.lastIndex < header.length) {
    const found = listed.exec(header);
    if (!found) return [];
    const [, quoted, coding = '', bare] = found;
    tags.push(quoted === undefined ? (bare as string) : `${quoted}${coding}`);
  }
  return tags;
}
