// Selects the reader's language: the "lookup" of RFC 4647 over the ranges of an Accept-Language header, and where it finds
// nothing, a text that the reader of the range can read: of the same language and script, whatever the region.

/** More ranges than any browser sends; each costs a few microseconds. */
const maxRanges = 50;
/** Longer headers are cut before anything parses them. */
const maxCharacters = 200;
/** How many languages of a user are stored. */
const maxStored = 5;

const rightToLeftScripts = new Set(['Arab', 'Hebr', 'Thaa', 'Syrc', 'Nkoo', 'Adlm']);

export function directionOf(language: string): 'ltr' | 'rtl' {
  const { script } = likelyOf(canonicalTag(language) ?? 'und');
  return rightToLeftScripts.has(script ?? '') ? 'rtl' : 'ltr';
}

/** The whole ranges within the limit of an Accept-Language header. */
export function shortHeader(acceptLanguage: string): string {
  if (acceptLanguage.length <= maxCharacters) return acceptLanguage;
  const start = acceptLanguage.slice(0, maxCharacters + 1);
  return start.slice(0, Math.max(0, start.lastIndexOf(',')));
}

/** The languages that a user prefers, the best first, as a list that `chosenLanguage` reads; null if the header names none. */
export function preferredLanguages(acceptLanguage: string | undefined): string | null {
  const accepted = rangesOf(acceptLanguage ?? '').filter(({ quality }) => quality > 0);
  return [...new Set(accepted.map(({ tag }) => tag))].slice(0, maxStored).join(',') || null;
}

/** Returns an element of `available`, or null if the reader accepts none. */
export function chosenLanguage<Name extends string>(
  acceptLanguage: string | undefined,
  available: readonly Name[],
): Name | null {
  const ranges = rangesOf(acceptLanguage ?? '');
  const refused = new Set(ranges.filter(({ quality }) => quality === 0).map(({ tag }) => tag));
  const offered = available.map(offerOf).filter(({ tag }) => !refused.has(tag));
  for (const { tag, quality } of ranges) {
    if (quality === 0) continue;
    const found = lookup(tag, offered) ?? readable(tag, offered);
    if (found) return found.name;
  }
  return null;
}

type Offer<Name extends string> = { name: Name; tag: string; likely: Intl.Locale };

function offerOf<Name extends string>(name: Name): Offer<Name> {
  const tag = canonicalTag(name) ?? name.toLowerCase();
  return { name, tag, likely: likelyOf(tag) };
}

/** "de-CH-1996" falls back to "de-CH" and then to "de", unless that is another script, as "zh" is for "zh-TW". */
function lookup<Name extends string>(
  range: string,
  offered: readonly Offer<Name>[],
): Offer<Name> | undefined {
  const { script } = likelyOf(range);
  for (let tag = range; tag !== ''; tag = tag.slice(0, Math.max(0, tag.lastIndexOf('-')))) {
    const found = offered.find((offer) => offer.tag === tag && offer.likely.script === script);
    if (found) return found;
  }
  return undefined;
}

/** The best text of the language: in the script of the range, of its region, of no region, of the usual one, then any. */
function readable<Name extends string>(
  range: string,
  offered: readonly Offer<Name>[],
): Offer<Name> | undefined {
  const wanted = likelyOf(range);
  const language = macroLanguage(wanted.language);
  const usual = new Intl.Locale(wanted.language).maximize().region;
  const rank = ({ tag, likely }: Offer<Name>) =>
    [
      likely.language === wanted.language,
      likely.region === wanted.region,
      new Intl.Locale(tag).region === undefined,
      likely.region === usual,
    ].reduce((sum, fits) => 2 * sum + (fits ? 1 : 0), 0);
  const ofScript = offered.filter(
    ({ likely }) => macroLanguage(likely.language) === language && likely.script === wanted.script,
  );
  const [best] = ofScript.toSorted((one, other) => rank(other) - rank(one));
  // Better a script that most of its readers know than English: "sr" for "sr-Latn", "zh" for "zh-TW".
  return best ?? offered.find(({ tag }) => tag === wanted.language);
}

/** Languages whose readers read each other's texts, under the code of the group (ISO 639-3). */
const macroLanguages: Record<string, string> = { nb: 'no', nn: 'no', yue: 'zh' };

function macroLanguage(language: string): string {
  return macroLanguages[language] ?? language;
}

/** Adds the script and region that the language has most likely: "zh-TW" is "zh-Hant-TW". */
function likelyOf(tag: string): Intl.Locale {
  try {
    return new Intl.Locale(tag).maximize();
  } catch {
    return new Intl.Locale('und');
  }
}

/**
 * The preferred form: "iw" is "he", "zh-cmn-Hans" is "zh-Hans". POSIX writes "de_DE.UTF-8", and Java and Android print
 * "zh_TW_#Hant" for "zh-Hant-TW". Null for what is no tag.
 */
function canonicalTag(text: string): string | null {
  const tagged = text.replace(/^([a-z]{2,3})((?:_[a-z0-9]{2,3})?)_{1,2}#([a-z]{4})(?=$|[-_])/i, '$1-$3$2');
  const posix = tagged.replace(/[.@].*$/s, '').replaceAll('_', '-');
  // An extended language is the language itself: "zh-cmn-Hans" is "cmn-Hans" (RFC 5646, 4.5).
  const tag = posix.replace(/^[a-z]{2,3}-(?=[a-z]{3}(?:-|$))/i, '');
  if (!/^[a-z]{2,8}(-[a-z0-9]{1,8})*$/i.test(tag)) return null;
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? null;
  } catch {
    return null;
  }
}

/** The ranges in order of preference, without "*", which prefers nothing. */
function rangesOf(acceptLanguage: string): { tag: string; quality: number }[] {
  return shortHeader(acceptLanguage)
    .split(',', maxRanges)
    .flatMap((part) => {
      const [range = '', ...parameters] = part.split(';').map((each) => each.trim());
      const quality = parameters.find((parameter) => /^q\s*=/i.test(parameter));
      const tag = canonicalTag(range);
      if (tag === null) return [];
      return [{ tag, quality: quality === undefined ? 1 : Number(quality.slice(quality.indexOf('=') + 1)) }];
    })
    .filter(({ quality }) => quality >= 0 && quality <= 1)
    .sort((left, right) => right.quality - left.quality);
}
