// Foyer: the lines of `foyer export users`. Only they carry uids, member ids, points and password hashes over, because all of
// them are Foyer's own. ../export/README.md describes a line.
import { limits, text, Ulid } from '@foyer/contract';
import * as z from 'zod';
import { isImportableHash, isOwnHash } from '../../../engines/hashing/index.js';
import type { Fields } from '../../lib/json-rules.js';
import { isStorable } from '../../lib/storable.js';
import {
  type ExportedIdentity,
  type ExportedUser,
  type ExportFormat,
  passwordWords,
} from './exported-user.js';
import { listOf, objectOf, textOf, timeOf } from './values.js';

const time = z.iso.datetime({ offset: true }).transform((written) => new Date(written));
const storable = (max: number) => text({ min: 1, max }).refine(isStorable);

/** What this version writes; a field of a later version is no reason to refuse the user. */
const OwnLine = z
  .object({
    uid: Ulid,
    email_verified: z.boolean(),
    email_proven: z.boolean(),
    disabled: z.boolean(),
    member_id: storable(limits.maxMemberIdCharacters),
    language: storable(1_000).nullable(),
    has_password: z.boolean(),
    password_hash: z.string().nullish(),
    password_from_v1: z.boolean().default(false),
    points: z.int().min(0).max(limits.maxPoints),
    ledger: z.array(
      z.object({
        id: Ulid,
        points: z.int().min(-limits.maxPoints).max(limits.maxPoints),
        description: storable(limits.maxPointsDescriptionCharacters),
        reference: storable(limits.maxPointsReferenceCharacters).nullable(),
        created_at: time,
      }),
    ),
  })
  // The balance is the sum of the ledger, and a reference adds points once.
  .refine(({ points, ledger }) => points === ledger.reduce((sum, entry) => sum + entry.points, 0))
  .refine(({ ledger }) => {
    const references = ledger.flatMap(({ reference }) => reference ?? []);
    return new Set(references).size === references.length;
  });

export const foyer: ExportFormat = {
  name: 'Foyer',
  csv: false,
  read(record) {
    const user = {
      id: textOf(record.uid),
      email: textOf(record.email),
      firstName: textOf(record.first_name),
      lastName: textOf(record.last_name),
      photoUrl: textOf(record.photo_url),
      createdAt: timeOf(record.created_at),
      lastSignInAt: timeOf(record.last_sign_in_at),
      claims: objectOf(record.claims),
      identities: identitiesIn(record),
      hasPhone: false,
    };
    const { data: line } = OwnLine.safeParse(record);
    if (!line) return { ...user, ...refused };
    const { hash, leftOut } = passwordOf(line);
    return {
      ...user,
      emailVerified: line.email_verified,
      disabled: line.disabled,
      refusal: null,
      leftOut: [
        ...leftOut,
        ...(record.second_factor === true ? ['second factor'] : []),
        ...((listOf(record.passkeys) ?? []).length > 0 ? ['passkeys'] : []),
        ...(typeof record.v1_id === 'number' ? ['numeric id of v1'] : []),
      ],
      own: {
        emailProven: line.email_proven,
        memberId: line.member_id,
        language: line.language,
        passwordHash: hash,
        passwordFromV1: hash !== null && line.password_from_v1,
        points: line.points,
        ledger: line.ledger.map(({ created_at: createdAt, ...entry }) => ({ ...entry, createdAt })),
      },
    };
  },
};

const refused = {
  ...{ emailVerified: false, disabled: false, leftOut: [] },
  refusal: 'is not a line of foyer export users',
} satisfies Partial<ExportedUser>;

function identitiesIn(record: Fields): ExportedIdentity[] {
  const linked = (listOf(record.identities) ?? []).map(({ provider, subject, email, linked_at }) => ({
    ...{ provider: textOf(provider) ?? '', subject },
    ...{ email: textOf(email), linkedAt: timeOf(linked_at) },
  }));
  // The names of further providers are a setting of the app.
  return linked.filter(({ provider }) => /^[a-z0-9-]{1,64}$/.test(provider));
}

function passwordOf(line: z.infer<typeof OwnLine>): { hash: string | null; leftOut: string[] } {
  const { password_hash: hash, has_password } = line;
  if (typeof hash !== 'string') {
    return { hash: null, leftOut: has_password ? ['password (the export is without hashes)'] : [] };
  }
  // bcrypt came from v1, and is verified by its rules until a sign-in replaces it.
  const isKnown = isOwnHash(hash) || (line.password_from_v1 && isImportableHash(hash));
  return isKnown ? { hash, leftOut: [] } : { hash: null, leftOut: [passwordWords(hash)] };
}
