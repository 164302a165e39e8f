// Query parameters that others append to any URL: advertisers, mail services and social networks to follow a link, and
// clients to bypass a cache. They are ignored on every endpoint, while an unknown parameter of a caller's own is refused
// where it could be a misspelt filter.

const appended =
  /^(?:utm_\w+|_|v|cb|_gl|_ga|gclid|gclsrc|gbraid|wbraid|gad_\w+|dclid|srsltid|fbclid|fb_\w+|igshid|igsh|msclkid|twclid|ttclid|li_fat_id|rdt_cid|epik|scid|y(?:s)?clid|_openstat|mc_[ce]id|mkt_tok|_hs(?:enc|mi)|__hs\w+|hsctatracking|_kx|vero_\w+|__cf_\w+)$/i;

export function isAppended(name: string): boolean {
  return appended.test(name);
}

/** The query without them. */
export function withoutAppended(query: unknown): unknown {
  if (typeof query !== 'object' || query === null) return query;
  const names = Object.keys(query);
  if (!names.some(isAppended)) return query;
  return Object.fromEntries(Object.entries(query).filter(([name]) => !isAppended(name)));
}
