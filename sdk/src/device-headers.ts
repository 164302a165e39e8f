// Headers that prevent account lockout by someone who only knows the email: the flow of each code requested here, and
// the token that identifies this device. Both are returned with requests that verify a credential.
import type { Vault } from './vault.js';

/** Adds the headers to a request. The returned function stores those of the response. */
export type AttachHeaders = (
  path: string,
  body: { email?: string } | undefined,
  headers: Headers,
) => (answered: Headers) => void;

export function createDeviceHeaders(vault: Vault): AttachHeaders {
  const flows: Record<string, string | null> = {};

  return (path, body, headers) => {
    // `/auth/email-code/send` and `/verify`, or `/auth/password/forgot` and `/reset`, with the email. Email
    // verification has no flow: its code is bound to the signed-in user.
    const key = path.replace(/\w+$/, '') + body?.email?.trim().toLowerCase();
    const flow = flows[key];
    if (flow && body?.email) headers.set('X-Code-Flow', flow);
    if (vault.device && /sign-in|verify|reset|reauth/.test(path)) headers.set('X-Device-Token', vault.device);
    return (response) => {
      flows[key] = response.get('X-Code-Flow') ?? flow!;
      vault.device = response.get('X-Device-Token') ?? vault.device;
    };
  };
}
