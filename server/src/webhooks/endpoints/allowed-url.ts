// Refuses an address that webhooks may not go to, with the reason.
import type { Deps } from '../../deps.js';
import { ApiError } from '../../lib/api-error.js';
import { OutboundRefusal } from '../../lib/http/outbound.js';

export async function requireAllowedUrl(deps: Pick<Deps, 'outbound'>, url: string): Promise<void> {
  try {
    await deps.outbound.requireAllowed(url);
  } catch (error) {
    if (!(error instanceof OutboundRefusal)) throw error;
    throw new ApiError('webhooks/invalid-url', { fields: { url: [error.message] }, cause: error });
  }
}
