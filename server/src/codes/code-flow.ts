// `X-Code-Flow`: names one mailed code for the client that asked for it, so that strangers who ask for codes of the same
// email, or guess at them, cannot make it worthless. Only its hash is stored.
import { limits } from '@foyer/contract';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { sha256 } from '../lib/digest.js';

const flowBytes = 16;

/** Also for a call that mails nothing, whose answer must not show it. */
export function newFlow(deps: Pick<Deps, 'random'>): string {
  return `fl_${deps.random.bytes(flowBytes).toString('base64url')}`;
}

export function hashOfFlow(flow: string): Buffer {
  return sha256(flow);
}

/** The flow that a call names, null where it names none. */
export function readFlow(header: string | string[] | undefined): string | null {
  if (header === undefined) return null;
  if (typeof header === 'string' && limits.codeFlowPattern.test(header)) return header;
  const fields = { 'X-Code-Flow': ['must be the X-Code-Flow that an answer carried'] };
  throw new ApiError('request/validation-failed', { fields });
}
