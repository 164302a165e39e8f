// The loyalty ledger, for the backend of the app.
import { initContract } from '@ts-rest/core';
import * as z from 'zod';
import { text } from '../input-values.js';
import { maxPoints, maxPointsDescriptionCharacters, maxPointsReferenceCharacters } from '../limits.js';
import { meta } from '../metadata.js';
import { dataEnvelope, PageQuery, pageOf } from '../schemas/envelopes.js';
import { AddedEntry, EntryPoints, LedgerEntry, LoyaltyStatus } from '../schemas/loyalty.js';
import { Ulid } from '../schemas/values.js';

const c = initContract();

const UserPath = z.object({ uid: Ulid.meta({ description: 'The `uid` of the user.' }) });

export const loyaltyEntries = c.router(
  {
    status: {
      method: 'GET',
      path: '',
      summary: 'Read the points and the tier of a user',
      description: 'As `GET /loyalty` returns them to the user.',
      pathParams: UserPath,
      responses: { 200: dataEnvelope(LoyaltyStatus) },
      metadata: meta({ scope: 'loyalty:read', audit: null, errors: ['auth/user-not-found'] }),
    },
    add: {
      method: 'POST',
      path: '/entries',
      summary: 'Add points to a user or deduct them',
      description:
        'The entry and the new balance are written together. With a `reference` the call can be repeated: the ' +
        'entry is created once, and further calls return 200 with the first entry. A balance is never below zero ' +
        `or above ${maxPoints.toLocaleString('en')}.`,
      pathParams: UserPath,
      body: z.strictObject({
        points: EntryPoints.refine((points) => points !== 0, 'must not be 0').meta({
          description:
            `Positive to add points, negative to deduct them; at most ${maxPoints.toLocaleString('en')} in either ` +
            'direction.',
          example: -150,
        }),
        description: text({ min: 1, max: maxPointsDescriptionCharacters }).meta({
          description: 'Shown to the user in the history.',
          example: 'Coffee voucher',
        }),
        reference: text({ min: 1, max: maxPointsReferenceCharacters }).nullish().meta({
          description: "The backend's reference for this entry; unique per user.",
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
      path: '/entries',
      summary: 'List the ledger entries of a user',
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
  { pathPrefix: '/admin/users/:uid/loyalty', metadata: meta({ auth: 'admin', rateLimit: 'admin' }) },
);
