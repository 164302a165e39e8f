// The contract's audit rules, checked in every test that calls an admin endpoint, or another one with a secret key: a
// successful write adds an entry of its action. No module can omit its entries, and no test has to check for them.
import { metadataOf } from '@foyer/contract';
import type { Database } from '@foyer/prisma';
import { contractRoutes } from './contract-routes.js';

/** What one call may do, each with its own entry. */
const severalActions: Record<string, string[]> = {
  'appFiles.apply': [
    ...['settings.updated', 'config.updated', 'collection.created', 'collection.updated'],
    ...['collection.deleted', 'webhook.created', 'webhook.updated', 'webhook.deleted'],
  ],
  'console.updateApp': ['app.renamed', 'app.disabled', 'app.enabled'],
  'users.update': ['user.updated', 'user.disabled', 'user.enabled'],
  'data.replace': ['record.created', 'record.replaced'],
};

/** The calls of backends and members; of the dashboard's own calls those on an app that exists. */
const audited = contractRoutes
  .filter(({ route }) => {
    const { auth, audit } = metadataOf(route);
    const onApp =
      auth.endsWith('admin') || auth === 'member' || route.path.startsWith('/console/apps/:app_id');
    return onApp && audit;
  })
  .map(({ id, route }) => ({
    id,
    method: route.method,
    path: new RegExp(`^${route.path.replace(/:\w+/g, '[^/]+')}(\\?.*)?$`),
    actions: severalActions[id] ?? [metadataOf(route).audit as string],
    /** Users call it too, without an entry. */
    forUsers: metadataOf(route).auth.endsWith('-or-admin'),
    /** Answers 201 for a new resource, 200 for an existing one. */
    makes: 201 in route.responses,
  }));

const appInPath = /^\/console\/apps\/([^/?]+)/;

/** Called before a request; the returned check runs after it has succeeded and throws if no entry was added. */
export async function auditDemand(
  database: Database,
  call: {
    method: string;
    path: string;
    appKey: string | undefined;
    token: string | undefined;
    body: unknown;
  },
): Promise<(answer: Response) => Promise<void>> {
  const withSecretKey = call.token?.startsWith('sk_') ?? false;
  const called = audited.filter(
    ({ method, path, forUsers }) =>
      method === call.method && path.test(call.path) && (withSecretKey || !forUsers),
  );
  if (called.length === 0 || call.appKey === undefined || asksForNothing(call)) return async () => {};
  const id = appInPath.exec(call.path)?.[1];
  const named = id === undefined ? { appKey: call.appKey } : { id };
  const app = await database.prisma.app.findUnique({ where: named, select: { id: true } });
  if (!app) return async () => {};
  const actions = called.flatMap((route) => route.actions);
  const where = { appId: app.id, action: { in: actions } };
  const before = await database.prisma.auditLog.count({ where });
  return async (answer) => {
    const madeBefore = answer.status === 200 && called.some(({ makes }) => makes);
    const least = isReplayed(answer) || madeBefore ? 1 : before + 1;
    if ((await database.prisma.auditLog.count({ where })) >= least) return;
    const ids = called.map(({ id }) => id).join(' or ');
    throw new Error(`${ids} succeeded, and wrote no ${actions.join(' or ')} into the audit log`);
  };
}

/** A dry run, or a change of nothing. */
function asksForNothing({ method, path, body }: { method: string; path: string; body: unknown }): boolean {
  if (/[?&]validate_only=true/.test(path)) return true;
  if (typeof body !== 'object' || body === null) return false;
  return 'dry_run' in body || (method === 'PATCH' && Object.keys(body).length === 0);
}

/** The call that this one repeats wrote the entry. */
function isReplayed(answer: Response): boolean {
  return answer.headers.get('idempotent-replayed') === 'true';
}
