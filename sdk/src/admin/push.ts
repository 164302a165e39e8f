// `admin.push`: sends push messages and reports their delivery.

import type { PageList, RepeatableCallOptions } from '../api.js';
import type { NewPushMessage, PushMessage, PushReceipt, PushSent } from '../generated/admin-models.js';
import type { PageQuery } from '../generated/models.js';
import { type AdminCall, listPages, type OnceOptions } from './call.js';

export interface AdminPush {
  /**
   * Accepts a message for delivery; it is sent after the response.
   *
   * @example
   * await admin.push.send({ uids: [uid], notification: { title: 'Your table is ready', body: 'For 15 minutes.' } });
   */
  send(message: NewPushMessage, options?: OnceOptions): Promise<PushSent>;
  /** The messages of the last 30 days, newest first. */
  messages(query?: PageQuery, options?: RepeatableCallOptions): PageList<PushMessage>;
  /** One message with its counts. Rejects with `push/message-not-found` when it is no longer stored. */
  message(id: string, options?: RepeatableCallOptions): Promise<PushMessage>;
  /** The delivery status of a message by device. */
  receipts(id: string, query?: PageQuery, options?: RepeatableCallOptions): PageList<PushReceipt>;
}

/** @internal */
export function createAdminPush(call: AdminCall): AdminPush {
  return {
    send: (message, options) => call<PushSent>('POST /admin/push/send', { body: message }, options),
    messages: (query, options) =>
      listPages<PushMessage>(call, 'GET /admin/push/messages', { query }, options),
    message: (id, options) => call<PushMessage>('GET /admin/push/messages/:id', { params: { id } }, options),
    receipts: (id, query, options) =>
      listPages<PushReceipt>(
        call,
        'GET /admin/push/messages/:id/receipts',
        { params: { id }, query },
        options,
      ),
  };
}
