// A line of an export of v1 as it is written: one user with all data, as README.md in this folder describes it.
import { EmailInput, limits, NameInput, PhotoUrlInput, text } from '@foyer/contract';
import * as z from 'zod';
import { isImportableHash } from '../../../engines/hashing/index.js';
import { isStorable } from '../../lib/storable.js';

const time = z.iso
  .datetime({ offset: true, error: 'must be a time such as 2026-01-02T03:04:05Z' })
  .transform((written) => new Date(written))
  .refine((date) => date.getTime() >= 0, 'must not lie before 1970');

/** Member ids of v1 are stored as they are; the API accepts a narrower form. */
const MemberId = text({ min: 1, max: limits.maxMemberIdCharacters }).refine(
  (id) => isStorable(id) && !/\p{Cc}/u.test(id),
  'must not hold control characters',
);

const HistoryEntry = z.strictObject({
  points: z.int().min(-limits.maxPoints).max(limits.maxPoints),
  description: text({ min: 1, max: limits.maxPointsDescriptionCharacters }),
  created_at: time.nullish(),
});

const V1Token = z.strictObject({
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/i, 'must be a SHA-256 in hexadecimal')
    .toLowerCase(),
  created_at: time.nullish(),
  last_used_at: time.nullish(),
});

export const V1Id = z.int().min(1).max(limits.maxImportedV1Id);

/** Strict, because a misspelt key would silently lose its value. */
export const WrittenLine = z
  .strictObject({
    id: V1Id,
    email: EmailInput,
    email_verified: z.boolean(),
    first_name: NameInput.optional(),
    last_name: NameInput.optional(),
    photo_url: PhotoUrlInput.optional(),
    password_hash: z
      .string()
      .refine(isImportableHash, 'must be a bcrypt hash ($2y$, $2b$ or $2a$) of a cost from 4 to 14, or null')
      .nullable(),
    member_id: MemberId,
    points: z.int().min(0).max(limits.maxPoints),
    history: z.array(HistoryEntry).default([]),
    created_at: time.nullish(),
    tokens: z
      .array(V1Token)
      .refine(
        (tokens) => new Set(tokens.map(({ sha256 }) => sha256)).size === tokens.length,
        'must not have a token twice',
      )
      .default([]),
  })
  .refine(
    ({ points, history }) => Math.abs(points - sumOf(history)) <= limits.maxPoints,
    `points and the sum of history lie more than ${limits.maxPoints} apart`,
  );
export type WrittenLine = z.infer<typeof WrittenLine>;

export function sumOf(history: { points: number }[]): number {
  return history.reduce((sum, { points }) => sum + points, 0);
}
