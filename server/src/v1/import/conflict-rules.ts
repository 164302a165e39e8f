// Decides whether a line is imported, by what the app has already: existing data is never overwritten.

export type Claim = {
  v1Id: number;
  lineHash: string;
  email: string;
  memberId: string;
  tokens: string[];
};

/** The values of a batch of lines that the app has already. */
export type Taken = {
  /** The hash of the line that an id was imported from, also when the user was changed or deleted since. */
  lines: Map<number, string>;
  v1Ids: Set<number>;
  emails: Set<string>;
  memberIds: Set<string>;
  tokens: Set<string>;
};

export type Verdict = { as: 'new' } | { as: 'there' } | { as: 'refused'; reason: string };

export function checkClaim(claim: Claim, taken: Taken): Verdict {
  const before = taken.lines.get(claim.v1Id);
  if (before === claim.lineHash) return { as: 'there' };
  if (before !== undefined)
    return refused('the id was imported before, from a line that says something else');
  if (taken.v1Ids.has(claim.v1Id)) return refused('the id belongs to another account');
  if (taken.emails.has(claim.email)) return refused('the email belongs to another account');
  if (taken.memberIds.has(claim.memberId)) return refused('the member id belongs to another account');
  if (claim.tokens.some((token) => taken.tokens.has(token))) {
    return refused('a token belongs to another account');
  }
  return { as: 'new' };
}

/** Adds the claim to what later lines are checked against. */
export function take(claim: Claim, taken: Taken): void {
  taken.lines.set(claim.v1Id, claim.lineHash);
  taken.emails.add(claim.email);
  taken.memberIds.add(claim.memberId);
  for (const token of claim.tokens) taken.tokens.add(token);
}

function refused(reason: string): Verdict {
  return { as: 'refused', reason };
}
