// Lines of an export of v1, for tests of the import.
import { createHash } from 'node:crypto';

/** Hashes of these passwords by PHP's own bcrypt (crypt_blowfish), at the lowest cost. */
export const phpHashes = {
  'correct horse battery staple': '$2y$04$Gq0WzT1mJ5cS8kQvXr3u0.w94e5BQxtKLzf4QqhYhcFgs1WS.KXBe',
  // A combining accent, which NFKC would join to its letter.
  'grün e\u0301 🔑': '$2y$04$Gq0WzT1mJ5cS8kQvXr3u0.6DQProS.fTaa8zt1YDO98ZEqPaMeej2',
  // 74 bytes: the cut at 72 splits the last character.
  [`${'ä'.repeat(35)}x€`]: '$2y$04$Gq0WzT1mJ5cS8kQvXr3u0.m20Yg4MIUULIXgu3wq5va7I.pxR5P4i',
};

export const v1Password = 'correct horse battery staple';
export const v1PasswordHash = phpHashes[v1Password] as string;

/** The 64 hexadecimal characters that a device of v1 stores. */
export function v1TokenOf(id: number): string {
  return createHash('sha256').update(`token of ${id}`).digest('hex');
}

export function tokenLine(id: number, times: { created_at?: string; last_used_at?: string } = {}) {
  const sha256 = createHash('sha256').update(v1TokenOf(id)).digest('hex');
  return { sha256, created_at: '2026-01-10T08:00:00Z', last_used_at: '2026-02-27T20:15:00Z', ...times };
}

/** A user of v1 with every field; the history accounts for all points but 300. */
export function exportedUser(id: number, given: object = {}) {
  return {
    id,
    email: `v1-user-${id}@example.com`,
    email_verified: true,
    first_name: 'Ada',
    last_name: 'Lovelace',
    photo_url: null,
    password_hash: v1PasswordHash,
    member_id: `M-${id}`,
    points: 850,
    history: [
      { points: 700, description: 'Dinner', created_at: '2025-03-04T18:00:00Z' },
      { points: -150, description: 'Coffee voucher', created_at: '2025-06-01T09:30:00Z' },
    ],
    created_at: '2024-05-06T07:08:09Z',
    tokens: [tokenLine(id)],
    ...given,
  };
}

export function linesOf(users: object[]): string {
  return users.map((user) => `${JSON.stringify(user)}\n`).join('');
}
