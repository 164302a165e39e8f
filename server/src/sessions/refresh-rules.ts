// The verdict on a refresh, from the session row that the statement returned.

export type RefreshVerdict = 'current-token' | 'not-ours' | 'too-many' | 'reused' | 'ended';

/**
 * `row` is null if the token's id has no live session. `behind` is the number of generations between the presented token
 * and the row; `secretFits` is true if the presented secret, derived that far, equals the secret of the row.
 */
export function checkRefresh(
  row: { reused: boolean } | null,
  behind: number,
  secretFits: () => boolean,
): RefreshVerdict {
  if (row === null) return 'ended';
  // The token was spent before the reuse window: theft, whatever its secret.
  if (row.reused) return 'reused';
  // A valid tag on a future generation needs a leaked key; it is no reason to end the session.
  if (behind < 0) return 'not-ours';
  if (!secretFits()) return 'not-ours';
  // The token is current but was not spent: 64 tokens were spent within the window.
  if (behind === 0) return 'too-many';
  return 'current-token';
}
