// Validates custom claims before they are set.
import { limits } from '@foyer/contract';
import { ApiError } from '../../lib/api-error.js';
import { checkClaims } from './claims-rules.js';

export function fitClaims(claims: Record<string, unknown>): Record<string, unknown> {
  const verdict = checkClaims(claims);
  if (verdict === 'fit') return claims;
  if (verdict === 'too-large') {
    const sentence = `must have at most ${limits.maxClaimsBytes} bytes as JSON`;
    throw new ApiError('admin/claims-too-large', { fields: { claims: [sentence] } });
  }
  const fields = verdict.reserved.map((name) => [
    `claims.${name}`,
    ['is the name of a claim of the service'],
  ]);
  throw new ApiError('admin/reserved-claim', { fields: Object.fromEntries(fields) });
}
