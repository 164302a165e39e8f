// What answers give so that strangers who know the email cannot shut its owner out: the flow of each code that was asked for
// here, and the token that makes this device known. Both are sent back with the calls that judge a proof.
import type { Vault } from './vault.js';

/** Puts what fits a call into its headers. The function returned keeps what the headers of the answer bring. */
export type AttachProofs = (
  path: string,
  body: { email?: string } | undefined,
  headers: Headers,
) => (answered: Headers) => void;

export function createProofs(vault: Vault): AttachProofs {
  const flows: Record<string, string | null> = {};

  return (path, body, headers) => {
    // `/auth/email-code/send` and `/verify`, or `/auth/password/forgot` and `/reset`, with the email. A code to confirm is
    // sent without: it belongs to the signed-in user, and nobody else can ask for it or guess at it.
    const key = path.replace(/\w+$/, '') + body?.email?.trim().toLowerCase();
    const flow = flows[key];
    if (flow && body?.email) headers.set('X-Code-Flow', flow);
    if (vault.device && /sign-in|verify|reset|reauth/.test(path)) headers.set('X-Device-Token', vault.device);
    return (answered) => {
      flows[key] = answered.get('X-Code-Flow') ?? flow!;
      vault.device = answered.get('X-Device-Token') ?? vault.device;
    };
  };
}
