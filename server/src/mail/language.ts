// Which of the languages there are a reader gets: the "lookup" of RFC 4647 over the ranges of an Accept-Language header.

/** One of `available`, as it is written there; null when the reader asked for none of them. */
export function chosenLanguage(acceptLanguage: string | undefined, available: string[]): string | null {
  const byName = new Map(available.map((tag) => [tag.toLowerCase(), tag]));
  for (const range of rangesOf(acceptLanguage ?? '')) {
    // "de-CH-1996" also means "de-CH" and then "de".
    for (let name = range; name !== ''; name = name.slice(0, Math.max(0, name.lastIndexOf('-')))) {
      const tag = byName.get(name);
      if (tag !== undefined) return tag;
    }
  }
  return null;
}

/** The ranges in the reader's order, lower-case, without those that are refused (q=0) and without "*", which says nothing. */
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
