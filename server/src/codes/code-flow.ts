// `X-Code-Flow`: binds a mailed code to the client that requested it, so that others who request or guess codes for the
// same email cannot invalidate it. Only its hash is stored.
import type { Deps } from '../deps.js';
import { sha256 } from '../lib/crypto/digest.js';

const flowBytes = 16;

/** Also issued if no mail is sent, which the response must not reveal. */
export function newFlow(deps: Pick<Deps, 'random'>): string {
  return `fl_${deps.random.bytes(flowBytes).toString('base64url')}`;
}

export function hashOfFlow(flow: string): Buffer {
  return sha256(flow);
}
