// REDIS_URL: one server, the servers that a Sentinel watches, or a cluster.
import { isUrl } from '@foyer/contract';
import { mayContainUnencodedPassword } from '../../src/lib/url-with-password.js';

type Node = { host: string; port: number };

export type RedisAddress = {
  tls: boolean;
  username?: string;
  password?: string;
} & (
  | { kind: 'server'; url: string }
  | { kind: 'sentinel'; sentinels: Node[]; master: string }
  | { kind: 'cluster'; nodes: Node[] }
);

const form = /^(rediss?)\+(sentinel|cluster):\/\/(?:([^:@/]*):([^@/]*)@)?([^@/]+)(?:\/([\w.-]*))?$/;
const ports = { sentinel: 26_379, cluster: 6_379 };

/** Returns null for any other text. */
export function redisAddress(text: string): RedisAddress | null {
  if (/^rediss?:\/\//.test(text)) {
    if (!isUrl(text) || mayContainUnencodedPassword(text)) return null;
    const { hostname, username, password } = new URL(text);
    const isReadable = hostname !== '' && decoded(username) !== null && decoded(password) !== null;
    return isReadable ? { kind: 'server', url: text, tls: text.startsWith('rediss') } : null;
  }
  const [, protocol, kind, username, password, hosts = '', master = ''] = form.exec(text) ?? [];
  if (kind !== 'sentinel' && kind !== 'cluster') return null;
  const nodes = hosts.split(',').map((host) => nodeOf(host, ports[kind]));
  const [user, secret] = [username, password].map(decoded);
  if (user === null || secret === null || !nodes.every((node) => node !== null)) return null;
  const shared = {
    tls: protocol === 'rediss',
    ...(user && { username: user }),
    ...(secret && { password: secret }),
  };
  if (kind === 'cluster') return master === '' ? { ...shared, kind, nodes } : null;
  return master === '' ? null : { ...shared, kind, sentinels: nodes, master };
}

function nodeOf(text: string, defaultPort: number): Node | null {
  const [, host, digits] = /^([\w.-]+|\[[\da-f:]+\])(?::(\d{1,5}))?$/i.exec(text) ?? [];
  const port = Number(digits ?? defaultPort);
  return host && port <= 65_535 ? { host: host.replace(/^\[|\]$/g, ''), port } : null;
}

/** Returns null for a percent sign that encodes nothing. */
function decoded(text = ''): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
