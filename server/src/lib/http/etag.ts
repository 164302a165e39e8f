// Entity tags and their preconditions (RFC 9110, 8.8.3, 13.1.1 and 13.1.2).

/** Optional whitespace, an entity tag, and a comma unless it is the last. */
const listed = /[ \t]*(W\/)?("[\x21\x23-\x7e\x80-\xff]*")[ \t]*(?:,|$)/y;

/** Weak comparison: true if the client has the representation. */
export function matchesIfNoneMatch(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.trim() === '*' || tagsIn(ifNoneMatch).some(({ opaque }) => opaque === etag);
}

/** Strong comparison: true if the client's representation is current. */
export function matchesIfMatch(ifMatch: string, etag: string): boolean {
  if (ifMatch.trim() === '*') return true;
  return tagsIn(ifMatch).some(({ opaque, weak }) => !weak && opaque === etag);
}

/** Empty if the header is not a list of entity tags. */
function tagsIn(header: string): { opaque: string; weak: boolean }[] {
  const tags: { opaque: string; weak: boolean }[] = [];
  listed.lastIndex = 0;
  while (listed.lastIndex < header.length) {
    const found = listed.exec(header);
    if (!found) return [];
    tags.push({ opaque: found[2] as string, weak: found[1] !== undefined });
  }
  return tags;
}
