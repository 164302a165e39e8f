// Notifies the owners of an app by mail when its sign-in settings change: who can set them can become any user.
import type { Tx } from '@foyer/prisma';
import type { App } from '../model/app.js';
import { type MailRequest, type QueueMailDeps, queueMail } from './queue-mail.js';
import { listOwnerEmails } from './store.js';

/** More owners than an app needs; one change must not queue hundreds of mails. */
const maxOwners = 50;

/** Queues the mails in the transaction of the change, as the app `console`: the app's own sender may be what has changed. */
export async function notifyOwners(
  tx: Tx,
  deps: QueueMailDeps,
  { consoleApp, app }: { consoleApp: App; app: App },
  change: { settings: string[]; by: string },
): Promise<void> {
  const ids = { consoleAppId: consoleApp.id, appId: app.id };
  const settingsChange = { appId: app.id, appName: app.name, ...change };
  for (const to of await listOwnerEmails(tx, { ...ids, maxRows: maxOwners })) {
    const mail: MailRequest = { kind: 'sign_in_settings_changed', to, settingsChange };
    await queueMail(tx, deps, consoleApp, mail);
  }
}
