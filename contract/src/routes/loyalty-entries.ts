// The loyalty ledger, for the backend of the app. Specification "Loyalty history entry".
import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import { text } from '../input-values.js';
import { maxPoints, maxPointsDescriptionCharacters, maxPointsReferenceCharacters } from '../limits.js';
import { meta } from '../metadata.js';
import { dataEnvelope, PageQuery, pageOf } from '../schemas/envelopes.js';
import { AddedEntry, EntryPoints, LedgerEntry } from '../schemas/loyalty.js';
import { Ulid } from '../schemas/values.js';

const c = initContract();

const UserPath = z.object({ uid: Ulid.meta({ description: 'The `uid` of the user.' }) });

export const loyaltyEntries = c.router(
  {
    add: {
      method: 'POST',
      path: '',
      summary: 'Add points to a user, or take them away',
      description:
        'One entry of the ledger and the new balance, together or not at all. With a `reference` the call may be repeated: ' +
        'the entry is made once, and later calls answer 200 with the first one. A balance is never below zero, nor above ' +
        `${maxPoints.toLocaleString('en')}.`,
      pathParams: UserPath,
      body: z.strictObject({
        points: EntryPoints.refine((points) => points !== 0, 'must not be 0').meta({
          description: `To add, or below zero to take away; at most ${maxPoints.toLocaleString('en')} either way.`,
          example: -150,
        }),
        description: text({ min: 1, max: maxPointsDescriptionCharacters }).meta({
          description: 'The user reads it in the history.',
          example: 'Coffee voucher',
        }),
        reference: text({ min: 1, max: maxPointsReferenceCharacters }).nullish().meta({
          description: 'Your own name for this entry, once for each user.',
          example: 'order-4711',
        }),
      }),
      responses: { 200: dataEnvelope(AddedEntry), 201: dataEnvelope(AddedEntry) },
      metadata: meta({
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
      path: '',
      summary: "List a user's entries in the ledger",
      description: 'Newest first.',
      pathParams: UserPath,
      query: PageQuery,
      responses: { 200: dataEnvelope(pageOf(LedgerEntry)) },
      metadata: meta({
        scope: 'loyalty:read',
        audit: null,
        errors: ['auth/user-not-found'],
      }),
    },
  },
  { pathPrefix: '/admin/users/:uid/loyalty/entries', metadata: meta({ auth: 'admin', rateLimit: 'admin' }) },
);
