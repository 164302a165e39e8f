// A line of an export of v1: one user with all data, as README.md in this folder describes it.
import { EmailInput, errorMap, limits, NameInput, PhotoUrlInput, text } from '@foyer/contract';
import * as z from 'zod';
import { sha256 } from '../../lib/crypto/digest.js';
import { jsonIn } from '../../lib/json-rules.js';
import { isStorable } from '../../lib/storable.js';
import { isImportableHash } from '../../passwords/password-rules.js';
import { fitLine } from './fit-line.js';
import { hasRepeatedKey } from './repeated-key.js';

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
  created_at: time,
});

const V1Token = z.strictObject({
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/i, 'must be a SHA-256 in hexadecimal')
    .toLowerCase(),
  created_at: time,
  last_used_at: time,
});

const V1Id = z.int().min(1).max(limits.maxImportedV1Id);

/** Strict, because a misspelt key would silently lose its value. */
const V1Export = z
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
    created_at: time,
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
export type V1Export = z.infer<typeof V1Export>;

type ReadLine =
  | { user: V1Export; lineHash: string; notes: string[]; reason?: never }
  /** The id of the line, or null. */
  | { user?: never; id: number | null; reason: string };

const maxIssues = 3;
/** Per issue: an unknown key may be of any length. */
const maxIssueCharacters = 100;

/** Reason and notes name fields and never contain values, since reports may be shared. */
export function readExportLine(text: string, now: Date): ReadLine {
  const json = jsonIn(text);
  if (json === undefined) return { id: null, reason: 'is not JSON' };
  if (hasRepeatedKey(text)) return { id: v1IdIn(json), reason: 'has a key twice' };
  const { fitted, notes } = fitLine(json);
  const { data: user, error } = V1Export.safeParse(fitted, { error: errorMap });
  if (error) {
    const reasons = error.issues.slice(0, maxIssues).map(({ path, message }) => {
      return [...path.map(String), message].join(' ').slice(0, maxIssueCharacters);
    });
    return { id: v1IdIn(json), reason: reasons.join('; ') };
  }
  if (timesOf(user).some((each) => each > now)) {
    return { id: user.id, reason: 'has a time that is still to come' };
  }
  return { user, lineHash: sha256(JSON.stringify(user)).toString('hex'), notes };
}

/** The numeric id of a line, also of a rejected one, since it must not be assigned to another user. */
export function v1IdOf(text: string): number | null {
  return v1IdIn(jsonIn(text));
}

export function sumOf(history: { points: number }[]): number {
  return history.reduce((sum, { points }) => sum + points, 0);
}

function v1IdIn(json: unknown): number | null {
  return V1Id.safeParse((json as { id?: unknown } | null | undefined)?.id).data ?? null;
}

function timesOf(user: V1Export): Date[] {
  return [
    user.created_at,
    ...user.history.map(({ created_at }) => created_at),
    ...user.tokens.flatMap(({ created_at, last_used_at }) => [created_at, last_used_at]),
  ];
}
