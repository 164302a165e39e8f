// All webhooks of an app at once: those of a list are added or changed, others are deleted. A webhook is known by its URL.
import type { WebhookDeclaration } from '@foyer/contract';
import type { Tx } from '@foyer/prisma';
import { changesBetween } from '../../audit/changes-rules.js';
import { type ChangeRecord, change } from '../../change.js';
import type { Deps } from '../../deps.js';
import { ApiError } from '../../lib/api-error.js';
import { compareTexts } from '../../lib/compare-texts.js';
import { versionTag } from '../../lib/version-tag.js';
import type { Call } from '../../model/call.js';
import { dispatchEventsOf } from '../dispatch/dispatch.js';
import { requireAllowedUrl } from './create-webhook.js';
import { encryptSecret, generateSecret } from './secret.js';
import {
  deleteWebhookRow,
  disableWebhookRow,
  insertWebhook,
  listAllWebhookRows,
  lockAllWebhooks,
  lockWebhooksOf,
  updateWebhookRow,
  type WebhookRow,
} from './store.js';
import { recordedOf, targetOf } from './webhook.js';

export type NewWebhookSecret = { url: string; secret: string };

type ReplaceDeps = Pick<Deps, 'prisma' | 'clock' | 'random' | 'keyRing' | 'ssrfSafeFetch'>;
type Writing = { tx: Tx; deps: ReplaceDeps; record: Pick<ChangeRecord, 'audit'>; appId: string };

/** In an order that depends on what they are only, with the version of the whole. */
export async function readWebhooks(
  deps: Pick<Deps, 'prisma'>,
  appId: string,
): Promise<{ webhooks: WebhookDeclaration[]; version: string }> {
  const rows = await listAllWebhookRows(deps.prisma, appId);
  const textOf = ({ url, ...rest }: WebhookDeclaration) => `${url} ${JSON.stringify(rest)}`;
  const webhooks = rows.map(declarationOf).sort((one, other) => compareTexts(textOf(one), textOf(other)));
  return { webhooks, version: versionOf(rows) };
}

export async function replaceWebhooks(
  deps: ReplaceDeps,
  call: Pick<Call, 'app' | 'actor' | 'outsideTurn'> & Partial<Pick<Call, 'authorizeAgain'>>,
  { webhooks, version }: { webhooks: WebhookDeclaration[]; version: string },
): Promise<NewWebhookSecret[]> {
  const { id: appId } = call.app;
  const urls = new Set((await listAllWebhookRows(deps.prisma, appId)).map(({ url }) => url));
  const newUrls = webhooks.map(({ url }) => url).filter((url) => !urls.has(url));
  const lookUp = async () => {
    await Promise.all(newUrls.map((url) => requireAllowedUrl(deps, url)));
    await call.authorizeAgain?.();
  };
  if (newUrls.length > 0) await (call.outsideTurn?.(lookUp) ?? lookUp());
  return change(deps, call, async (tx, record) => {
    const writing = { tx, deps, record, appId };
    await lockWebhooksOf(tx, appId);
    await dispatchEventsOf(tx, deps, appId);
    const existing = await lockAllWebhooks(tx, appId);
    if (versionOf(existing) !== version) throw new ApiError('admin/version-conflict');
    const left = [...existing];
    const equal = webhooks.map((wanted) => take(left, (row) => isSame(declarationOf(row), wanted)));
    const matched = webhooks.map((wanted, place) => ({
      wanted,
      row: equal[place] ?? take(left, ({ url }) => url === wanted.url),
    }));
    for (const row of left) await deleteOne(writing, row);
    const added: NewWebhookSecret[] = [];
    for (const { wanted, row } of matched) {
      if (row) await updateOne(writing, row, wanted);
      else added.push(await insertOne(writing, wanted));
    }
    return added;
  });
}

/** Takes out the first row that fits. */
function take(rows: WebhookRow[], fits: (row: WebhookRow) => boolean): WebhookRow | undefined {
  const at = rows.findIndex(fits);
  return at < 0 ? undefined : rows.splice(at, 1)[0];
}

async function insertOne(
  { tx, deps, record, appId }: Writing,
  { url, description, types, enabled }: WebhookDeclaration,
): Promise<NewWebhookSecret> {
  const now = deps.clock.now();
  const ids = { appId, id: deps.random.ulid(now) };
  const secret = generateSecret(deps.random);
  await record.audit({
    action: 'webhook.created',
    target: targetOf(ids),
    details: { url: new URL(url).origin },
  });
  const encrypted = encryptSecret(deps.keyRing, ids, secret);
  await insertWebhook(tx, { ...ids, url, types, description, secret: encrypted, now });
  if (!enabled) await disableWebhookRow(tx, ids, { reason: 'admin', now });
  return { url, secret };
}

async function updateOne(
  { tx, deps, record, appId }: Writing,
  row: WebhookRow,
  wanted: WebhookDeclaration,
): Promise<void> {
  const before = declarationOf(row);
  const changed = (['description', 'types', 'enabled'] as const).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(wanted[name]),
  );
  if (changed.length === 0) return;
  const ids = { appId, id: row.id };
  const patch = Object.fromEntries(changed.map((name) => [name, wanted[name]]));
  const after = await updateWebhookRow(tx, ids, patch, deps.clock.now());
  if (!after) throw new ApiError('admin/version-conflict');
  const changes = changesBetween(recordedOf(row), recordedOf(after));
  await record.audit({ action: 'webhook.updated', target: targetOf(ids), details: { changed, changes } });
}

async function deleteOne({ tx, record, appId }: Writing, { id }: WebhookRow): Promise<void> {
  await deleteWebhookRow(tx, { appId, id });
  await record.audit({ action: 'webhook.deleted', target: targetOf({ id }) });
}

function declarationOf({ url, description, types, enabled }: WebhookRow): WebhookDeclaration {
  return { url, description, types: types as WebhookDeclaration['types'], enabled };
}

function versionOf(rows: WebhookRow[]): string {
  return versionTag(rows.map((row) => [row.id, declarationOf(row)]));
}

function isSame(one: WebhookDeclaration, other: WebhookDeclaration): boolean {
  const partsOf = ({ url, description, types, enabled }: WebhookDeclaration) =>
    JSON.stringify([url, description, types, enabled]);
  return partsOf(one) === partsOf(other);
}
