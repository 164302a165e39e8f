// Creates a webhook.
import { limits, type Webhook } from '@foyer/contract';
import type { Deps } from '../../deps.js';
import type { StoreResponse } from '../../idempotency/stored-response.js';
import { ApiError } from '../../lib/api-error.js';
import { ForbiddenUrlError } from '../../lib/http/ssrf-safe-fetch.js';
import type { Actor } from '../../model/actor.js';
import { dispatchEventsOf } from '../deliveries/dispatch.js';
import { encryptSecret, generateSecret } from './secret.js';
import { countWebhooks, insertWebhook, lockWebhooksOf } from './store.js';
import { auditWebhook, serializeWebhook } from './webhook.js';

export type WebhookWithSecret = Webhook & { secret: string };

/** The only response with the secret. */
export async function createWebhook(
  deps: Deps,
  appId: string,
  input: { url: string; description?: string | null | undefined; types: string[] },
  actor: Actor,
  store: StoreResponse<WebhookWithSecret>,
): Promise<WebhookWithSecret> {
  await requireAllowedUrl(deps, input.url);
  const now = deps.clock.now();
  const ids = { appId, id: deps.random.ulid(now) };
  const secret = generateSecret(deps.random);
  const { url, types, description = null } = input;
  return deps.prisma.$transaction(async (tx) => {
    // Without the lock, two concurrent calls could both count nine.
    await lockWebhooksOf(tx, appId);
    if ((await countWebhooks(tx, appId)) >= limits.webhooksPerApp) {
      throw new ApiError('webhooks/limit-reached');
    }
    await auditWebhook(tx, deps, ids, actor, 'webhook.created');
    await dispatchEventsOf(tx, deps, appId);
    const encrypted = encryptSecret(deps.keyRing, ids, secret);
    const row = await insertWebhook(tx, { ...ids, url, types, description, secret: encrypted, now });
    const created = { ...serializeWebhook(row, now), secret };
    await store(tx, created);
    return created;
  });
}

/** Throws `webhooks/invalid-url` with the reason for a URL that the SSRF guard forbids. */
export async function requireAllowedUrl(deps: Pick<Deps, 'ssrfSafeFetch'>, url: string): Promise<void> {
  try {
    await deps.ssrfSafeFetch.requireAllowed(url);
  } catch (error) {
    if (!(error instanceof ForbiddenUrlError)) throw error;
    throw new ApiError('webhooks/invalid-url', { fields: { url: [error.message] }, cause: error });
  }
}
