// If-Match and If-None-Match (RFC 9110) against the version of a record; null if it does not exist.
import { matchesIfMatch, matchesIfNoneMatch } from '../../lib/etag.js';

export type Preconditions = { ifMatch?: string | undefined; ifNoneMatch?: string | undefined };

export function etagOf(version: number): string {
  return `"${version}"`;
}

export function preconditionsHold(version: number | null, { ifMatch, ifNoneMatch }: Preconditions): boolean {
  if (version === null) return ifMatch === undefined;
  const etag = etagOf(version);
  return (ifMatch === undefined || matchesIfMatch(ifMatch, etag)) && !matchesIfNoneMatch(ifNoneMatch, etag);
}
