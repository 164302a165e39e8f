// Selects the reader's language: the "lookup" of RFC 4647 over the ranges of an Accept-Language header.

/** Returns an element of `available`, or null if the reader accepts none. */
export function chosenLanguage(acceptLanguage: string | undefined, available: string[]): string | null {
  const byName = new Map(available.map((tag) => [tag.toLowerCase(), tag]));
  for (const range of rangesOf(acceptLanguage ?? '')) {
    // "de-CH-1996" falls back to "de-CH" and then to "de".
    for (let name = range; name !== ''; name = name.slice(0, Math.max(0, name.lastIndexOf('-')))) {
      const tag = byName.get(name);
      if (tag !== undefined) return tag;
    }
  }
  return null;
}

/** The ranges in order of preference, in lower case, without refused ones (q=0) and "*". */
function rangesOf(acceptLanguage: string): string[] {
  return acceptLanguage
    .split(',')
    .map((part) => {
      const [range = '', ...parameters] = part.split(';').map((each) => each.trim().toLowerCase());
      const quality = parameters.find((parameter) => parameter.startsWith('q='));
      return { range, quality: quality === undefined ? 1 : Number(quality.slice(2)) };
    })
    .filter(({ range, quality }) => /^[a-z]{1,8}(-[a-z0-9]{1,8})*$/.test(range) && quality > 0)
    .sort((left, right) => right.quality - left.quality)
    .map(({ range }) => range);
}
