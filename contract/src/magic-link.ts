// The magic link of a sign-in mail. It always points to the app's stored deep link.

/** What the service adds to a deep link, which therefore must not have any of them. */
const ownParameters = ['mode', 'email', 'code'];

export function magicLink(deepLink: string, email: string, code: string): string {
  const [base = '', query] = splitQuery(deepLink);
  // Apps read the first of two parameters with one name. Deep links that were stored with such a name still work.
  const others = (query ?? '').split('&').filter((part) => part !== '' && !isOwn(part));
  const own = `mode=sign_in&email=${encodeURIComponent(email)}&code=${encodeURIComponent(code)}`;
  return `${base}?${[...others, own].join('&')}`;
}

/** The parameters of a deep link that the service adds itself. */
export function ownParametersIn(deepLink: string): string[] {
  const [, query = ''] = splitQuery(deepLink);
  return query.split('&').filter(isOwn).map(nameOf);
}

function splitQuery(url: string): [string, string?] {
  const at = url.indexOf('?');
  return at < 0 ? [url] : [url.slice(0, at), url.slice(at + 1)];
}

function isOwn(part: string): boolean {
  return ownParameters.includes(nameOf(part));
}

function nameOf(part: string): string {
  return new URLSearchParams(part).keys().next().value ?? '';
}
