// Loyalty: the tiers of an app, the status of a user and the entries of the ledger.
import * as z from 'zod';
import { textUpTo } from '../answer-values.js';
import { list, maxLength, minLength, text } from '../input-values.js';
import {
  maxMemberIdCharacters,
  maxPoints,
  maxPointsDescriptionCharacters,
  maxPointsReferenceCharacters,
  maxTierCharacters,
  tiers,
} from '../limits.js';
import { integer, Timestamp, Ulid } from './values.js';

const TierName = text({
  max: 4 * maxTierCharacters,
  error: `must have at most ${maxTierCharacters} characters`,
})
  .trim()
  .check(minLength(1), maxLength(maxTierCharacters));

export const Points = integer({ min: 0, max: maxPoints });

const Tier = z.strictObject({
  tier: TierName.meta({ description: 'The name of the tier.', example: 'silver' }),
  min_points: Points.meta({ description: 'The minimum balance of the tier.', example: 1_000 }),
});

/** The tiers of an app, lowest first. */
export const Tiers = list(Tier, { min: tiers.min, max: tiers.max })
  .refine((list) => list[0] === undefined || list[0].min_points === 0, 'must start with a tier at 0 points')
  .refine(
    (list) =>
      list.every((tier, place) => place === 0 || tier.min_points > (list[place - 1]?.min_points ?? 0)),
    'must be ascending: each tier needs more points than the previous one',
  )
  .refine((list) => new Set(list.map(({ tier }) => tier)).size === list.length, 'must have unique names')
  .meta({
    description:
      `The loyalty tiers, at most ${tiers.max}: the first at 0 points, each further tier higher, with unique ` +
      'names.',
    example: [
      { tier: 'member', min_points: 0 },
      { tier: 'silver', min_points: 1_000 },
    ],
  });
export type Tiers = z.infer<typeof Tiers>;

export const LoyaltyStatus = z
  .object({
    member_id: textUpTo(maxMemberIdCharacters).meta({
      description: 'Unique in the app. Only the team of the app can change it.',
      example: '4820157396',
    }),
    points: Points.meta({ description: 'The balance of the ledger.', example: 850 }),
    tier: textUpTo(maxTierCharacters).meta({
      description: 'The highest tier that the balance reaches.',
      example: 'member',
    }),
    next_tier: z
      .object({
        tier: textUpTo(maxTierCharacters).meta({
          description: 'The name of the next tier.',
          example: 'silver',
        }),
        points_needed: integer({ min: 1, max: maxPoints }).meta({
          description: 'The number of points missing to the next tier.',
          example: 150,
        }),
      })
      .nullable()
      .meta({
        description: 'Null at the highest tier.',
        example: { tier: 'silver', points_needed: 150 },
      }),
  })
  .meta({ id: 'LoyaltyStatus', description: 'The points balance of a user and the tier that it reaches.' });
export type LoyaltyStatus = z.infer<typeof LoyaltyStatus>;

export const EntryPoints = integer({ min: -maxPoints, max: maxPoints });

const EntryFields = {
  id: Ulid.meta({
    description:
      'The entry. The order of the history is that of the balance; ids of concurrent entries may sort differently.',
  }),
  points: EntryPoints.meta({
    description: 'The points that were added; negative if they were deducted.',
    example: -150,
  }),
  description: textUpTo(maxPointsDescriptionCharacters).meta({
    description: 'The reason for the points, for the user.',
    example: 'Coffee voucher',
  }),
  created_at: Timestamp.meta({ description: 'When the entry was created.' }),
};

export const LoyaltyEntry = z
  .object(EntryFields)
  .meta({ id: 'LoyaltyEntry', description: 'An entry of the ledger; entries are immutable.' });
export type LoyaltyEntry = z.infer<typeof LoyaltyEntry>;

export const LedgerEntry = z
  .object({
    ...EntryFields,
    reference: textUpTo(maxPointsReferenceCharacters)
      .nullable()
      .meta({ description: "The backend's reference for the entry.", example: 'order-4711' }),
  })
  .meta({ id: 'LedgerEntry', description: 'An entry of the ledger, as the backend sees it.' });
export type LedgerEntry = z.infer<typeof LedgerEntry>;

export const AddedEntry = z
  .object({ entry: LedgerEntry, loyalty: LoyaltyStatus })
  .meta({ id: 'AddedLoyaltyEntry', description: 'The entry and the resulting status of the user.' });
