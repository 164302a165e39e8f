// The rows of an imported user. ULIDs are generated from the times of v1, so that order by id is order by creation.
import { limits } from '@foyer/contract';
import type { Deps } from '../../deps.js';
import { ulidText } from '../../lib/crypto/ulid-bytes.js';
import { v1IdleSince } from '../../v1-tokens/v1-token.js';
import type { V1Export } from './complete-times.js';
import type { UserRows } from './store.js';
import { sumOf } from './written-line.js';

const openingDescription = 'Balance brought over from v1';

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
      uid,
      v1Id: user.id,
      email: user.email,
      emailVerified: user.email_verified,
      emailProven: user.email_verified,
      firstName: user.first_name ?? null,
      lastName: user.last_name ?? null,
      photoUrl: user.photo_url ?? null,
      passwordHash: user.password_hash,
      passwordFromV1: user.password_hash !== null,
      memberId: user.member_id,
      points: user.points,
      ledgerSize: entries.length,
      v1LastUsedAt: latest(user.tokens.map(({ last_used_at }) => last_used_at)),
      lastSignInAt: latest(user.tokens.map(({ created_at }) => created_at)),
      createdAt: user.created_at,
      updatedAt: now,
    },
    lineHash,
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

/** The history, oldest first, after an opening entry for the difference: points are always the sum of the ledger. */
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

function latest(times: Date[]): Date | null {
  return times.toSorted((a, b) => b.getTime() - a.getTime())[0] ?? null;
}

const drawnBytes = 6;

/** A ULID of a past time, with a number before its random part, since times of v1 are in seconds and many are equal. */
function ulidAt(deps: Pick<Deps, 'random'>, time: Date, number: number): string {
  const head = Buffer.alloc(10);
  head.writeUIntBE(time.getTime(), 0, 6);
  head.writeUInt32BE(number, 6);
  return ulidText(Buffer.concat([head, deps.random.bytes(drawnBytes)]));
}
