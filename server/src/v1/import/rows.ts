// The rows that a user of v1 becomes. Ids are made of the times that v1 gives, so that order by id is order by creation.
import { limits } from '@foyer/contract';
import type { Deps } from '../../deps.js';
import { ulidText } from '../../lib/crypto/ulid-bytes.js';
import { v1IdleSince } from '../tokens/v1-use.js';
import type { UserRows } from './store.js';
import { sumOf, type V1Export } from './v1-export.js';

export const openingDescription = 'Balance brought over from v1';

export function rowsOf(
  deps: Pick<Deps, 'random'>,
  line: { user: V1Export; lineHash: string },
  now: Date,
): UserRows {
  const { user, lineHash } = line;
  const uid = ulidAt(deps, user.created_at, user.id);
  const entries = ledgerOf(user);
  return {
    user: {
      id: uid,
      v1_id: user.id,
      line_hash: lineHash,
      email: user.email,
      email_verified: user.email_verified,
      first_name: user.first_name ?? null,
      last_name: user.last_name ?? null,
      photo_url: user.photo_url ?? null,
      password_hash: user.password_hash,
      member_id: user.member_id,
      points: user.points,
      ledger_size: entries.length,
      created_at: user.created_at.toISOString(),
      v1_last_used_at: latest(user.tokens.map(({ last_used_at }) => last_used_at)),
      last_sign_in_at: latest(user.tokens.map(({ created_at }) => created_at)),
    },
    entries: entries.map(({ points, description, created_at }, place) => ({
      user_id: uid,
      id: ulidAt(deps, created_at, place),
      position: place + 1,
      points,
      description,
      created_at: created_at.toISOString(),
    })),
    tokens: liveTokens(user, now).map(({ sha256, created_at, last_used_at }) => ({
      user_id: uid,
      token_hash: sha256,
      signed_in_at: created_at.toISOString(),
      last_used_at: last_used_at.toISOString(),
    })),
  };
}

/** The history, the oldest first, led by what it does not account for: points are always the sum of the ledger. */
function ledgerOf({ points, history, created_at }: V1Export): V1Export['history'] {
  const entries = history.toSorted((a, b) => a.created_at.getTime() - b.created_at.getTime());
  const missing = points - sumOf(history);
  if (missing === 0) return entries;
  const first = entries[0]?.created_at ?? created_at;
  const openedAt = first < created_at ? first : created_at;
  return [{ points: missing, description: openingDescription, created_at: openedAt }, ...entries];
}

function liveTokens({ tokens }: V1Export, now: Date): V1Export['tokens'] {
  const idleSince = v1IdleSince(now);
  return tokens
    .filter(({ last_used_at }) => last_used_at > idleSince)
    .sort((a, b) => b.created_at.getTime() - a.created_at.getTime())
    .slice(0, limits.v1TokensPerUser);
}

function latest(times: Date[]): string | null {
  const last = Math.max(...times.map((time) => time.getTime()));
  return times.length === 0 ? null : new Date(last).toISOString();
}

const drawnBytes = 6;

/** A ULID of a time that is past, with a number before its random part: v1 counts in seconds, and many share one. */
function ulidAt(deps: Pick<Deps, 'random'>, time: Date, number: number): string {
  const head = Buffer.alloc(10);
  head.writeUIntBE(time.getTime(), 0, 6);
  head.writeUInt32BE(number, 6);
  return ulidText(Buffer.concat([head, deps.random.bytes(drawnBytes)]));
}
