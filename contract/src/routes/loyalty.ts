// The loyalty status and history of the signed-in user.
import { initContract } from '@ts-rest/core';
import { meta } from '../metadata.js';
import { dataEnvelope, PageQuery, pageOf } from '../schemas/envelopes.js';
import { LoyaltyEntry, LoyaltyStatus } from '../schemas/loyalty.js';

const c = initContract();

export const loyalty = c.router(
  {
    status: {
      method: 'GET',
      path: '',
      summary: 'Read the loyalty status of the signed-in user',
      description: 'The points are the sum of the ledger; the tiers are a setting of the app.',
      responses: { 200: dataEnvelope(LoyaltyStatus) },
      metadata: meta({}),
    },
    history: {
      method: 'GET',
      path: '/history',
      summary: 'List the points that the signed-in user earned and spent',
      description: 'Newest first. New entries do not shift the pages.',
      query: PageQuery,
      responses: { 200: dataEnvelope(pageOf(LoyaltyEntry)) },
      metadata: meta({}),
    },
  },
  { pathPrefix: '/me/loyalty', metadata: meta({ auth: 'signed-in', rateLimit: 'client', errors: [] }) },
);
