// Creates a webhook.
import { limits, type Webhook } from '@foyer/contract';
import { ForbiddenUrlError } from '../../../engines/safe-fetch/index.js';
import { changeInTurn } from '../../change.js';
import type { Deps } from '../../deps.js';
import type { StoreResponse } from '../../idempotency/stored-response.js';
import { ApiError } from '../../lib/api-error.js';
import type { Call } from '../../model/call.js';
import { dispatchEventsOf } from '../dispatch/dispatch.js';
import { encryptSecret, generateSecret } from './secret.js';
import { countWebhooks, insertWebhook, lockWebhooksOf } from './store.js';
import { serializeWebhook, targetOf } from './webhook.js';

export type WebhookWithSecret = Webhook & { secret: string };

/** The only response with the secret. */
export async function createWebhook(
  deps: Deps,
  call: Call,
  input: { url: string; description?: string | null | undefined; types: string[] },
  store: StoreResponse<WebhookWithSecret>,
): Promise<WebhookWithSecret> {
  const { id: appId } = call.app;
  await requireAllowedUrl(deps, input.url);
  // The name server may be the caller's own, and take its time.
  await call.authorizeAgain();
  const now = deps.clock.now();
  const ids = { appId, id: deps.random.ulid(now) };
  const secret = generateSecret(deps.random);
  const { url, types, description = null } = input;
  // The turn is taken after the name of its host was looked up.
  return changeInTurn(deps, call, async (tx, record) => {
    // Without the lock, two concurrent calls could both count nine.
    await lockWebhooksOf(tx, appId);
    if ((await countWebhooks(tx, appId)) >= limits.webhooksPerApp) {
      throw new ApiError('webhooks/limit-reached');
    }
    await record.audit({
      action: 'webhook.created',
      target: targetOf(ids),
      details: { url: new URL(url).origin },
    });
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
