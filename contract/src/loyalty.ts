// Loyalty: the tiers of an app, the status of a user by the points of the ledger, and the ledger itself. Specification
// "Loyalty status" and "Loyalty history entry".
import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import { textUpTo } from './answer-values.js';
import { atMostCharacters } from './characters.js';
import {
  maxMemberIdCharacters,
  maxPoints,
  maxPointsDescriptionCharacters,
  maxPointsReferenceCharacters,
  maxTierCharacters,
  tiers,
} from './limits.js';
import { meta } from './metadata.js';
import { dataEnvelope, PageQuery, pageOf, Timestamp, Ulid } from './schemas.js';
import { characters, text } from './text.js';

const c = initContract();

const TierName = text(4 * maxTierCharacters, atMostCharacters(maxTierCharacters)[1])
  .trim()
  .min(1)
  .refine(...atMostCharacters(maxTierCharacters))
  .meta({ maxLength: maxTierCharacters });

const Tier = z.strictObject({
  tier: TierName.meta({ description: 'The name of the tier.', example: 'silver' }),
  min_points: z
    .number()
    .int()
    .min(0)
    .max(maxPoints)
    .meta({ description: 'The balance from which a user has it.', example: 1_000 }),
});

/** The tiers of an app, the lowest first. */
export const Tiers = z
  .array(Tier)
  .min(tiers.min)
  .max(tiers.max)
  .refine((list) => list[0] === undefined || list[0].min_points === 0, 'must begin at 0 points')
  .refine(
    (list) =>
      list.every((tier, place) => place === 0 || tier.min_points > (list[place - 1]?.min_points ?? 0)),
    'must rise: each tier needs more points than the one before',
  )
  .refine((list) => new Set(list.map(({ tier }) => tier)).size === list.length, 'must have different names')
  .meta({
    description: `The loyalty tiers, at most ${tiers.max}: the first at 0 points, each further one higher, no name twice.`,
    example: [
      { tier: 'member', min_points: 0 },
      { tier: 'silver', min_points: 1_000 },
    ],
  });
export type Tiers = z.infer<typeof Tiers>;

export const LoyaltyStatus = z
  .object({
    member_id: textUpTo(maxMemberIdCharacters).meta({
      description: 'Unique in the app; never changes.',
      example: '4820157396',
    }),
    points: z
      .number()
      .int()
      .min(0)
      .max(maxPoints)
      .meta({ description: 'The balance of the ledger.', example: 850 }),
    tier: textUpTo(maxTierCharacters).meta({
      description: 'The highest tier that the points reach.',
      example: 'member',
    }),
    next_tier: z
      .object({
        tier: textUpTo(maxTierCharacters).meta({
          description: 'The name of the next tier.',
          example: 'silver',
        }),
        points_needed: z
          .number()
          .int()
          .min(1)
          .max(maxPoints)
          .meta({ description: 'The points that are missing.', example: 150 }),
      })
      .nullable()
      .meta({
        description: 'Null at the top tier.',
        example: { tier: 'silver', points_needed: 150 },
      }),
  })
  .meta({ id: 'LoyaltyStatus', description: "A user's balance of points, and the tier it reaches." });
export type LoyaltyStatus = z.infer<typeof LoyaltyStatus>;

const EntryPoints = z.number().int().min(-maxPoints).max(maxPoints);

const UserPath = z.object({ uid: Ulid.meta({ description: 'The `uid` of the user.' }) });

const EntryFields = {
  id: Ulid.meta({ description: 'The entry; later entries sort after earlier ones.' }),
  points: EntryPoints.meta({ description: 'The points that were added, or taken away.', example: -150 }),
  description: textUpTo(maxPointsDescriptionCharacters).meta({
    description: 'For the user: what the points are for.',
    example: 'Coffee voucher',
  }),
  created_at: Timestamp.meta({ description: 'When the entry was made.' }),
};

export const LoyaltyEntry = z
  .object(EntryFields)
  .meta({ id: 'LoyaltyEntry', description: 'An entry of the ledger; entries are added and never changed.' });
export type LoyaltyEntry = z.infer<typeof LoyaltyEntry>;

export const LedgerEntry = z
  .object({
    ...EntryFields,
    reference: textUpTo(maxPointsReferenceCharacters)
      .nullable()
      .meta({ description: "The backend's own name for the entry.", example: 'order-4711' }),
  })
  .meta({ id: 'LedgerEntry', description: 'An entry of the ledger, as the backend sees it.' });
export type LedgerEntry = z.infer<typeof LedgerEntry>;

const AddedEntry = z
  .object({ entry: LedgerEntry, loyalty: LoyaltyStatus })
  .meta({ id: 'AddedLoyaltyEntry', description: 'The entry, and the status of the user now.' });

export const loyalty = c.router({
  status: {
    method: 'GET',
    path: '/me/loyalty',
    summary: 'Read the loyalty status of the signed-in user',
    description: 'The points are the sum of the ledger; the tiers are a setting of the app.',
    responses: { 200: dataEnvelope(LoyaltyStatus) },
    metadata: meta({ auth: 'signed-in', rateLimit: 'client', errors: [] }),
  },
  history: {
    method: 'GET',
    path: '/me/loyalty/history',
    summary: 'List where the points of the signed-in user come from and went',
    description: 'Newest first. Entries that are added meanwhile do not move the pages.',
    query: PageQuery,
    responses: { 200: dataEnvelope(pageOf(LoyaltyEntry)) },
    metadata: meta({ auth: 'signed-in', rateLimit: 'client', errors: [] }),
  },
});

export const loyaltyEntries = c.router({
  add: {
    method: 'POST',
    path: '/admin/users/:uid/loyalty/entries',
    summary: 'Add points to a user, or take them away',
    description:
      'One entry of the ledger and the new balance, together or not at all. With a `reference` the call may be repeated: ' +
      'the entry is made once, and later calls answer 200 with the first one. A balance is never below zero, nor above ' +
      `${maxPoints.toLocaleString('en')}.`,
    pathParams: UserPath,
    body: z.object({
      points: EntryPoints.refine((points) => points !== 0, 'must not be 0').meta({
        description: `To add, or below zero to take away; at most ${maxPoints.toLocaleString('en')} either way.`,
        example: -150,
      }),
      description: characters(maxPointsDescriptionCharacters).min(1).meta({
        description: 'The user reads it in the history.',
        maxLength: maxPointsDescriptionCharacters,
        example: 'Coffee voucher',
      }),
      reference: characters(maxPointsReferenceCharacters).min(1).nullish().meta({
        description: 'Your own name for this entry, once for each user.',
        maxLength: maxPointsReferenceCharacters,
        example: 'order-4711',
      }),
    }),
    responses: { 200: dataEnvelope(AddedEntry), 201: dataEnvelope(AddedEntry) },
    metadata: meta({
      auth: 'admin',
      rateLimit: 'admin',
      scope: 'loyalty:write',
      audit: 'loyalty.entry_added',
      idempotencyKey: true,
      errors: [
        'auth/user-not-found',
        'loyalty/insufficient-points',
        'loyalty/balance-too-high',
        'loyalty/reference-conflict',
      ],
    }),
  },
  list: {
    method: 'GET',
    path: '/admin/users/:uid/loyalty/entries',
    summary: "List a user's entries in the ledger",
    description: 'Newest first.',
    pathParams: UserPath,
    query: PageQuery,
    responses: { 200: dataEnvelope(pageOf(LedgerEntry)) },
    metadata: meta({
      auth: 'admin',
      rateLimit: 'admin',
      scope: 'loyalty:read',
      audit: null,
      errors: ['auth/user-not-found'],
    }),
  },
});
