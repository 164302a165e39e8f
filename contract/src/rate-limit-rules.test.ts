import { expect, test } from 'vitest';
import { rateLimitGroups, rateLimits } from './limits.js';
import { rulesWithFactors, ruleWithFactor } from './rate-limit-rules.js';

test.each([
  ['client', 1, 300, 60],
  ['client', 2.5, 750, 60],
  ['client', 0.01, 3, 60],
  ['admin', 0.003, 3, 60],
  ['client', 0.001, 1, 200],
  ['code-send-email-ip-pause', 3, 3, 30],
  ['code-send-email-ip-pause', 0.5, 1, 60],
  // Guesses at passwords and codes.
  ['auth-failures-email', 100, 50, 900],
  ['code-guesses-email-day', 100, 100, 86_400],
  ['auth-failures-email', 0.1, 5, 900],
] as const)('%s with the factor %d is %d in %d seconds', (policy, factor, limit, windowSeconds) => {
  expect(ruleWithFactor(policy, factor)).toEqual({ limit, windowSeconds });
});

test('every policy is in one group', () => {
  const grouped: string[] = Object.values(rateLimitGroups).flat();
  expect(grouped.toSorted()).toEqual(Object.keys(rateLimits).toSorted());
});

test('only the policies of a group with a factor are changed', () => {
  expect(rulesWithFactors({ sign_in: 1, refresh: 0.5 })).toEqual({
    'refresh-session': { limit: 60, windowSeconds: 300 },
  });
});
