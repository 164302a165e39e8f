// What the contract says of the audit log, held against every test that calls an admin endpoint: a write that succeeded
// added an entry of its action. So no room can forget its entries, and no test has to remember to ask for them.
import { metadataOf } from '@foyer/contract';
import type { Database } from '@foyer/prisma';
import { contractRoutes } from './contract-routes.js';

const audited = contractRoutes
  .filter(({ route }) => metadataOf(route).auth === 'admin' && metadataOf(route).audit)
  .map(({ id, route }) => ({
    id,
    method: route.method,
    path: new RegExp(`^${route.path.replace(/:\w+/g, '[^/]+')}(\\?.*)?$`),
    action: metadataOf(route).audit as string,
    /** Answers 201; then 200 says that it was made before. */
    makes: 201 in route.responses,
  }));

/** Asked before a call; what it gives is asked after the call has succeeded, and throws where no entry was added. */
export async function auditDemand(
  database: Database,
  call: { method: string; path: string; appKey: string | undefined; body: unknown },
): Promise<(answer: Response) => Promise<void>> {
  const called = audited.filter((route) => route.method === call.method && route.path.test(call.path));
  if (called.length === 0 || call.appKey === undefined || asksForNothing(call)) return async () => {};
  const app = await database.prisma.app.findUnique({ where: { appKey: call.appKey }, select: { id: true } });
  if (!app) return async () => {};
  const actions = called.map(({ action }) => action);
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

/** A trial, or a change of nothing. */
function asksForNothing({ method, path, body }: { method: string; path: string; body: unknown }): boolean {
  if (/[?&]validate_only=true/.test(path)) return true;
  if (typeof body !== 'object' || body === null) return false;
  return 'dry_run' in body || (method === 'PATCH' && Object.keys(body).length === 0);
}

/** The entry was written by the call that this one repeats. */
function isReplayed(answer: Response): boolean {
  return answer.headers.get('idempotent-replayed') === 'true';
}
