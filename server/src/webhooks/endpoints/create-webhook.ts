// POST /admin/webhooks.
import { limits, type Webhook } from '@foyer/contract';
import { writeAuditEntry } from '../../audit/entry.js';
import type { Deps } from '../../deps.js';
import type { StoreResponse } from '../../idempotency/stored-response.js';
import { ApiError } from '../../lib/api-error.js';
import type { Actor } from '../../model/actor.js';
import { dispatchEventsOf } from '../deliveries/dispatch.js';
import { requireAllowedUrl } from './allowed-url.js';
import { drawSecret, encryptSecret } from './secret.js';
import { countWebhooks, insertWebhook, lockWebhooksOf } from './store.js';
import { serializeWebhook } from './webhook.js';

export type NewWebhook = { url: string; description?: string | null | undefined; types: string[] };

export type WebhookWithSecret = Webhook & { secret: string };

/** The secret is in this answer and never again. */
export async function createWebhook(
  deps: Deps,
  appId: string,
  given: NewWebhook,
  actor: Actor,
  keep: StoreResponse<WebhookWithSecret>,
): Promise<WebhookWithSecret> {
  await requireAllowedUrl(deps, given.url);
  const now = deps.clock.now();
  const ids = { appId, id: deps.random.ulid(now) };
  const secret = drawSecret(deps.random);
  const { url, types, description = null } = given;
  return deps.prisma.$transaction(async (tx) => {
    // Without the lock two calls at once would each count nine.
    await lockWebhooksOf(tx, appId);
    if ((await countWebhooks(tx, appId)) >= limits.webhooksPerApp) {
      throw new ApiError('webhooks/limit-reached');
    }
    await writeAuditEntry(tx, deps, {
      appId,
      actor,
      action: 'webhook.created',
      target: `webhook:${ids.id}`,
    });
    await dispatchEventsOf(tx, deps, appId);
    const encrypted = encryptSecret(deps.keyRing, ids, secret);
    const row = await insertWebhook(tx, { ...ids, url, types, description, secret: encrypted, now });
    const made = { ...serializeWebhook(row, now), secret };
    await keep(tx, made);
    return made;
  });
}
