// Whether the signed URL of a file is valid, and which range of the bytes a response has.
import type { SignedParameters } from './content-url.js';

export type SignedUrlVerdict = 'unsigned' | 'invalid' | 'expired' | 'valid';

/** `signed`: the signature matches exactly these parameters. Valid until the second `expires` begins. */
export function checkSignedUrl(
  { expires, download, by, signature }: SignedParameters,
  signed: boolean,
  now: Date,
): SignedUrlVerdict {
  if (expires === undefined && signature === undefined && download === undefined && by === undefined)
    return 'unsigned';
  if (!signed) return 'invalid';
  return now.getTime() < Number(expires) * 1_000 ? 'valid' : 'expired';
}

export type Range = { start: number; end: number };

/** The range of a GET to answer: `all`, one part, or `unsatisfiable`. */
export function selectRange(
  asked: { ranges: readonly Range[] | 'malformed' | 'unsatisfiable' | 'none'; ifRange: string | undefined },
  etag: string,
): 'all' | 'unsatisfiable' | Range {
  const { ranges, ifRange } = asked;
  if (ranges === 'none' || ranges === 'malformed') return 'all';
  // The client has a part of other bytes (RFC 9110, 13.1.5). Dates are never sent.
  if (ifRange !== undefined && ifRange !== etag) return 'all';
  if (ranges === 'unsatisfiable') return 'unsatisfiable';
  // A server may answer several ranges with the whole (RFC 9110, 14.2).
  return ranges.length === 1 ? (ranges[0] as Range) : 'all';
}
