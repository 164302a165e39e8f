// `X-Code-Flow`: names one mailed code for the client that asked for it, so that strangers who ask for codes of the same
// email, or guess at them, cannot make it worthless. Only its hash is stored.
import type { Deps } from '../deps.js';
import { sha256 } from '../lib/crypto/digest.js';

const flowBytes = 16;

/** Also for a call that mails nothing, whose answer must not show it. */
export function newFlow(deps: Pick<Deps, 'random'>): string {
  return `fl_${deps.random.bytes(flowBytes).toString('base64url')}`;
}

export function hashOfFlow(flow: string): Buffer {
  return sha256(flow);
}
