// Whether a page of the app itself sent a request: the defence against cross-site request forgery.

/**
 * Every browser sends `Origin` with a POST request, and current ones `Sec-Fetch-Site`; pages can set neither. A sibling
 * subdomain is the same site, whose requests carry `SameSite` cookies, but another origin.
 */
export function isSameOrigin(headers: Headers, origin: string): boolean {
  const site = headers.get('Sec-Fetch-Site');
  return headers.get('Origin') === origin && (site === null || site === 'same-origin');
}

/** The body is JSON, which a form cannot send, nor a page of another origin without a preflight. */
export function isJson(headers: Headers): boolean {
  return /^application\/json\s*(;|$)/i.test(headers.get('Content-Type') ?? '');
}
