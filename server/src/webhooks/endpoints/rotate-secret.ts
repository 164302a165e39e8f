// Rotates the secret of a webhook: the previous one signs too for a day.
import { limits } from '@foyer/contract';
import { change } from '../../change.js';
import type { Deps } from '../../deps.js';
import type { StoreResponse } from '../../idempotency/stored-response.js';
import { ApiError } from '../../lib/api-error.js';
import { hourMilliseconds } from '../../lib/timestamp.js';
import type { Call } from '../../model/call.js';
import type { WebhookWithSecret } from './create-webhook.js';
import { encryptSecret, generateSecret } from './secret.js';
import { rotateSecretRow } from './store.js';
import { serializeWebhook, targetOf } from './webhook.js';

export async function rotateSecret(
  deps: Deps,
  call: Call,
  id: string,
  store: StoreResponse<WebhookWithSecret>,
): Promise<WebhookWithSecret> {
  const ids = { appId: call.app.id, id };
  const now = deps.clock.now();
  const until = new Date(now.getTime() + limits.webhookSecretOverlapHours * hourMilliseconds);
  const secret = generateSecret(deps.random);
  const encrypted = encryptSecret(deps.keyRing, ids, secret);
  return change(deps, call, async (tx, record) => {
    const rotated = await rotateSecretRow(tx, ids, { secret: encrypted, until, now });
    if (!rotated) throw new ApiError('webhooks/not-found');
    await record.audit({ action: 'webhook.secret_rotated', target: targetOf(ids) });
    const response = { ...serializeWebhook(rotated, now), secret };
    await store(tx, response);
    return response;
  });
}
