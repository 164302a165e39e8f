import { expect, test } from 'vitest';
import { rateLimitHeaders } from './rate-limit.js';

test('the header fields are those of the IETF draft', () => {
  const rule = { limit: 300, windowSeconds: 60 };
  expect(rateLimitHeaders({ policy: 'client', place: 0, rule, remaining: 12, resetSeconds: 34 })).toEqual({
    'RateLimit-Policy': '"client";q=300;w=60',
    RateLimit: '"client";r=12;t=34',
  });
});
