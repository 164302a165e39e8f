// What a refresh comes to, from the session row as the one statement left it. Specification "Session and refresh token".

export type RefreshVerdict = 'current-token' | 'not-ours' | 'too-many' | 'ended';

/**
 * `row` is null when no live session has the token's id. `behind` is how many generations the presented token lies
 * behind the row; `secretFits` says whether the presented secret, derived that far, is the row's.
 */
export function judgeRefresh(
  row: { ended: boolean } | null,
  behind: number,
  secretFits: () => boolean,
): RefreshVerdict {
  if (row === null) return 'ended';
  // The statement found the token spent longer ago than the reuse window, and has ended the session.
  if (row.ended) return 'ended';
  // A tag of ours on a generation that never was: made with a leaked key, and no reason to end anything.
  if (behind < 0) return 'not-ours';
  if (!secretFits()) return 'not-ours';
  // The token is right and still current, yet the statement did not spend it: 64 were spent inside the window.
  if (behind === 0) return 'too-many';
  return 'current-token';
}
