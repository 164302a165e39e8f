// Rotates the secret of a webhook: the previous one signs too for a day.
import { limits } from '@foyer/contract';
import type { Deps } from '../../deps.js';
import type { StoreResponse } from '../../idempotency/stored-response.js';
import { ApiError } from '../../lib/api-error.js';
import { hourMilliseconds } from '../../lib/timestamp.js';
import type { Actor } from '../../model/actor.js';
import type { WebhookWithSecret } from './create-webhook.js';
import { encryptSecret, generateSecret } from './secret.js';
import { rotateSecretRow, type WebhookIds } from './store.js';
import { auditWebhook, serializeWebhook } from './webhook.js';

export { deletePreviousSecrets } from './store.js';

export async function rotateSecret(
  deps: Deps,
  ids: WebhookIds,
  actor: Actor,
  store: StoreResponse<WebhookWithSecret>,
): Promise<WebhookWithSecret> {
  const now = deps.clock.now();
  const until = new Date(now.getTime() + limits.webhookSecretOverlapHours * hourMilliseconds);
  const secret = generateSecret(deps.random);
  return deps.prisma.$transaction(async (tx) => {
    const rotated = await rotateSecretRow(tx, ids, encryptSecret(deps.keyRing, ids, secret), until, now);
    if (!rotated) throw new ApiError('webhooks/not-found');
    await auditWebhook(tx, deps, ids, actor, 'webhook.secret_rotated');
    const response = { ...serializeWebhook(rotated, now), secret };
    await store(tx, response);
    return response;
  });
}
