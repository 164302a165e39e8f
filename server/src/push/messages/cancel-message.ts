// POST /admin/push/messages/:id/cancel: a scheduled message is not sent. Its job stays in the queue, and finds it finished.
import type { PushMessage } from '@foyer/contract';
import { change } from '../../change.js';
import type { Deps } from '../../deps.js';
import type { StoreResponse } from '../../idempotency/stored-response.js';
import { ApiError } from '../../lib/api-error.js';
import type { Call } from '../../model/call.js';
import { serializeMessage } from './message.js';
import { cancelScheduled, findMessage } from './store.js';

/** Throws `push/message-not-found`, or `push/not-scheduled` once sending has started. */
export async function cancelMessage(
  deps: Deps,
  call: Call,
  messageId: string,
  store: StoreResponse<PushMessage>,
): Promise<PushMessage> {
  const ids = { appId: call.app.id, messageId };
  return change(deps, call, async (tx, record) => {
    const row = await cancelScheduled(tx, ids, deps.clock.now());
    if (!row)
      throw new ApiError((await findMessage(tx, ids)) ? 'push/not-scheduled' : 'push/message-not-found');
    const message = serializeMessage(row);
    await record.audit({ action: 'push.cancelled', target: `push_message:${messageId}` });
    await store(tx, message);
    return message;
  });
}
