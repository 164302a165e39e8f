// A `fetch` whose responses a server does not cache. Frameworks cache them otherwise, for every user.

export function uncached(given: typeof fetch | undefined): typeof fetch {
  // Cloudflare Workers with a compatibility date before 2024-11-11 refuse the option, and cache nothing.
  const isSupported = 'cache' in (globalThis.Request?.prototype ?? {});
  const options: RequestInit = isSupported ? { cache: 'no-store' } : {};
  return (input, init) => (given ?? fetch)(input, { ...init, ...options });
}
