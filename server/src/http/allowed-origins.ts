// Whether the `Origin` of a request is among the allowed ones.

/** `https://*.example.com` allows every subdomain, at any depth, and not `https://example.com`; as in a CSP. */
export function allowsOrigin(allowed: readonly string[], origin: string): boolean {
  // A web view sends this where a browser sends `null`.
  const asked = origin === 'file://' ? 'null' : origin;
  return allowed.includes(asked) || allowed.some((pattern) => isSubdomainOf(pattern, asked));
}

const labels = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/;

function isSubdomainOf(pattern: string, origin: string): boolean {
  const [scheme, host] = pattern.split('://*.');
  if (host === undefined) return false;
  const [start, end] = [`${scheme}://`, `.${host}`];
  if (!origin.startsWith(start) || !origin.endsWith(end)) return false;
  return labels.test(origin.slice(start.length, -end.length));
}
