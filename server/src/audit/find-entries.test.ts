// The filters of the audit log: each finds its entries by an index, for any actor and target.
import { beforeAll, expect, test } from 'vitest';
import { genericPlan } from '../../test/generic-plan.js';
import { statementLog, testService } from '../../test/harness.js';
import { shared } from '../../test/shared.js';

const [ada, bob, nobody] = ['A', 'B', 'C'].map((letter) => `01${letter.repeat(24)}`);
const statements = statementLog();
const service = shared(() => testService({ onStatement: statements.onStatement }));
let appId: string;
beforeAll(async () => {
  appId = service.app.app.id;
  await service.database.prisma.auditLog.deleteMany();
  const now = service.clock.now();
  const people = [`user:${ada}`, `user:${bob}`, 'anonymous'];
  const targets = [`user:${ada}`, `user:${bob}`, 'config'];
  const rows = people.flatMap((actor) =>
    targets.flatMap((target) =>
      [ada, bob, null].flatMap((uid) =>
        ['user.signed_in', 'config.updated'].map((action) => ({ actor, target, uid: uid ?? null, action })),
      ),
    ),
  );
  const data = rows.map((row, place) => {
    const id = `${service.deps.random.ulid(now).slice(0, 22)}${String(place).padStart(4, '0')}`;
    return { ...row, appId, id, createdAt: now };
  });
  await service.database.prisma.auditLog.createMany({ data });
});

const list = async (filters: Record<string, string>) => {
  const path = `/admin/audit-log?${new URLSearchParams({ limit: '100', ...filters })}`;
  type Listed = { items: { id: string }[] };
  const { data } = await service.call<Listed>('GET', path, { token: service.app.secretKey });
  return data.items.map(({ id }) => id);
};

test('any combination of filters returns exactly the entries that match all of them, newest first', async () => {
  const all = await service.database.prisma.auditLog.findMany({ where: { appId }, orderBy: { id: 'desc' } });
  const names = [undefined, `user:${ada}`, `user:${nobody}`, 'anonymous', 'config'];
  for (const actor of names) {
    for (const target of names) {
      for (const uid of [undefined, bob]) {
        for (const action of [undefined, 'user.signed_in', 'config.updated']) {
          const filters = { actor, target, uid, action };
          const given = Object.entries(filters).filter(([, value]) => value !== undefined);
          const expected = all.filter((row) =>
            given.every(([name, value]) => row[name as keyof typeof filters] === value),
          );
          const found = await list(Object.fromEntries(given) as Record<string, string>);
          expect(found, JSON.stringify(filters)).toEqual(expected.map(({ id }) => id));
        }
      }
    }
  }
});

test.each([
  ['uid', ada, ['audit_log_user_idx']],
  ['actor', `user:${ada}`, ['audit_log_user_idx', 'audit_log_actor_idx']],
  ['actor', 'anonymous', ['audit_log_actor_idx']],
  ['target', `user:${ada}`, ['audit_log_user_idx', 'audit_log_target_idx']],
  ['target', 'config', ['audit_log_target_idx']],
  ['action', 'config.updated', ['audit_log_action_idx']],
  ['action', 'user.signed_in', ['audit_log_pkey']],
])('a filter by %s, such as %s, reads its own index', async (filter, value, indexes) => {
  const sent = await statements.during(() => list({ [filter]: value as string }));
  const sql = sent.find((text) => text.includes('FROM audit_log')) as string;
  const plan = JSON.stringify(await genericPlan(service.database, sql));
  const used = [...plan.matchAll(/"Index Name":"(\w+)"/g)].map(([, name]) => name);
  expect(used.sort()).toEqual([...indexes].sort());
});
