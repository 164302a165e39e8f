// Addresses of services that hold a user and a password, such as DATABASE_URL.

/**
 * Whether a part of an unencoded password may have become the host, the path or the query: of `user:p@ss/w#rd@host` the host is
 * `ss`, which an error of the network would print. The URL is valid.
 */
export function mayContainUnencodedPassword(url: string): boolean {
  const { pathname, search } = new URL(url);
  return url.includes('#') || `${pathname}${search}`.includes('@');
}

/** Whether a PostgreSQL URL has a list of hosts, as libpq accepts; pg makes one host name of it. The URL may be invalid. */
export function namesSeveralHosts(url: string): boolean {
  const [authority = '', query = ''] = url.split('?', 2);
  const hosts = authority
    .replace(/^\w+:\/\//, '')
    .split('/', 1)[0]
    ?.split('@')
    .at(-1);
  return [hosts, new URLSearchParams(query).get('host')].some((host) => host?.includes(','));
}

/**
 * Names a host in a PostgreSQL URL with a user and none, such as `postgresql://user@/db?host=/socket/folder`: the URL parser refuses
 * what PostgreSQL allows. pg prefers the host of the query.
 */
export function withHost(url: string): string {
  return url.replace(/^(postgres(?:ql)?:\/\/[^/?#]*@)(?=[/?#]|$)/i, '$1localhost');
}

/** The schema that a PostgreSQL URL asks for, as those of Prisma, JDBC and Go do, or in its sessions' options; null without one. */
export function requestedSchema(url: string): string | null {
  const { searchParams } = new URL(url);
  const options = /search_path\s*=\s*(\S+)/i.exec(searchParams.get('options') ?? '');
  const named = ['schema', 'currentSchema', 'search_path'].map((name) => searchParams.get(name));
  return named.find((schema) => schema !== null) ?? options?.[1] ?? null;
}

/** Those of PostgreSQL, and pg's own: TLS with a certificate that is not verified. */
export const sslModes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'];

/** pg takes an unknown mode for `verify-full`. */
export function hasKnownSslMode(url: string): boolean {
  return new URL(url).searchParams.getAll('sslmode').every((mode) => sslModes.includes(mode));
}

/** PostgreSQL's client takes a lone % as it is, but throws at an escape such as %e4, which is not UTF-8. */
export function isDecodable(value: string): boolean {
  try {
    for (const [escapes] of value.matchAll(/(%[\da-f]{2})+/gi)) decodeURIComponent(escapes);
    return true;
  } catch {
    return false;
  }
}
