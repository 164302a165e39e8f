// What the signed address of a file comes to, and which part of the bytes a call gets.

export type AddressVerdict = 'unsigned' | 'invalid' | 'expired' | 'valid';

/** `signed`: the signature is ours and stands for exactly these parameters. Valid until the second it names begins. */
export function judgeAddress(
  given: { expires: string | undefined; signature: string | undefined; download: string | undefined },
  signed: boolean,
  now: Date,
): AddressVerdict {
  if (given.expires === undefined && given.signature === undefined && given.download === undefined) {
    return 'unsigned';
  }
  if (!signed) return 'invalid';
  return now.getTime() < Number(given.expires) * 1_000 ? 'valid' : 'expired';
}

export type Range = { start: number; end: number };

/** What of a GET is answered: `all`, one part, or nothing, because no part of the file lies in the range. */
export function judgeRange(
  asked: { ranges: readonly Range[] | 'malformed' | 'unsatisfiable' | 'none'; ifRange: string | undefined },
  etag: string,
): 'all' | 'unsatisfiable' | Range {
  const { ranges, ifRange } = asked;
  if (ranges === 'none' || ranges === 'malformed') return 'all';
  // A condition that does not hold: the client has a part of other bytes (RFC 9110, 13.1.5). Dates are never sent.
  if (ifRange !== undefined && ifRange !== etag) return 'all';
  if (ranges === 'unsatisfiable') return 'unsatisfiable';
  // Several parts may be answered with the whole (RFC 9110, 14.2).
  return ranges.length === 1 ? (ranges[0] as Range) : 'all';
}
