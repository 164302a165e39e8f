// The rate limits of an app: the policies, each multiplied by the factor of its group.
import { type RateLimitPolicy, rateLimitGroups, rateLimits } from './limits.js';

export type RateLimitGroup = keyof typeof rateLimitGroups;
export type RateLimitFactors = Record<RateLimitGroup, number>;
export type RateLimitRule = { limit: number; windowSeconds: number };

/** The limits of failed guesses at passwords and codes: a factor above 1 does not raise them. */
const guesses = /-(failures|guesses)-/;

/** The policies that the factors change. */
export function rulesWithFactors(
  factors: Partial<RateLimitFactors>,
): Partial<Record<RateLimitPolicy, RateLimitRule>> {
  const groups = Object.entries(rateLimitGroups) as [RateLimitGroup, readonly RateLimitPolicy[]][];
  const rules = groups.flatMap(([group, policies]) => {
    const factor = factors[group] ?? 1;
    if (factor === 1) return [];
    return policies.map((policy) => [policy, ruleWithFactor(policy, factor)] as const);
  });
  return Object.fromEntries(rules);
}

/** Less than one call in a window is one call in a longer window. */
export function ruleWithFactor(policy: RateLimitPolicy, given: number): RateLimitRule {
  const factor = guesses.test(policy) ? Math.min(given, 1) : given;
  const { limit, windowSeconds } = rateLimits[policy];
  // Rounding removes the error of the multiplication: 1,000 * 0.003 is 3.
  const calls = Number((limit * factor).toPrecision(12));
  if (calls >= 1) return { limit: Math.floor(calls), windowSeconds };
  return { limit: 1, windowSeconds: Math.ceil(windowSeconds / calls) };
}
