// Retention at scale: each statement finds its rows by an index, so that its duration does not grow with the table.
import { expect, test } from 'vitest';
import { genericPlan } from '../test/generic-plan.js';
import { statementLog, testService } from '../test/harness.js';
import { shared } from '../test/shared.js';
import { purge, retention } from './retention.js';

/** A few rows per app, or per webhook of an app. */
const smallTables = ['invitations', 'webhook_endpoints', 'signing_keys'];

const statements = statementLog();
const service = shared(() => testService({ onStatement: statements.onStatement }));

type Plan = {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Cond'?: string;
  'TID Cond'?: string;
  'Recheck Cond'?: string;
  Filter?: string;
  Plans?: Plan[];
};

/** The tables of which a plan reads more rows than a condition on an index, or a limit, selects. */
function scannedTables(plan: Plan, parent?: Plan): string[] {
  const below = (plan.Plans ?? []).flatMap((child) => scannedTables(child, plan));
  const own = plan['Relation Name'];
  if (own === undefined || plan['Node Type'] === 'ModifyTable') return below;
  const byIndex = /^(Index|Bitmap|Tid)/.test(plan['Node Type']);
  const selected = plan['Index Cond'] ?? plan['TID Cond'] ?? plan['Recheck Cond'];
  // A join looks up single rows, which it may filter.
  const few = parent?.['Node Type'] === 'Nested Loop' ? selected !== undefined : plan.Filter === undefined;
  const limited = selected !== undefined || parent?.['Node Type'] === 'Limit';
  return byIndex && few && limited ? below : [own, ...below];
}

test('every statement of the daily deletion finds its rows by an index', async () => {
  const { prisma } = service.database;
  const own = { appId: service.app.app.id };
  const [seenAt, bytes] = [service.clock.now(), new Uint8Array(32)];
  // Their apps are found by their rows.
  const sentCode = {
    purpose: 'reset',
    subject: 'x',
    id: 'x',
    email: 'x',
    keyId: 1,
    codeHash: bytes,
    flowHash: bytes,
  };
  await prisma.code.create({ data: { ...own, ...sentCode, sentAt: seenAt } });
  await prisma.usedPasskeyChallenge.create({ data: { ...own, challengeHash: bytes, usedAt: seenAt } });
  await prisma.seenIdToken.create({ data: { ...own, tokenHash: bytes, seenAt } });
  const receipt = { messageId: 'x', deviceId: 'x', provider: 'fcm', status: 'accepted', attempts: 1 };
  await prisma.pushReceipt.create({ data: { ...own, ...receipt, updatedAt: seenAt } });
  const names = Object.keys(retention) as (keyof typeof retention)[];
  const sent = await statements.during(() => purge(service.deps, ...names));
  const deletions = [...new Set(sent.filter((sql) => /DELETE FROM|UPDATE/.test(sql)))];
  expect(deletions.length).toBeGreaterThanOrEqual(names.length - 1);
  for (const sql of deletions) {
    const scanned = scannedTables(await genericPlan<Plan>(service.database, sql));
    expect(
      scanned.filter((table) => !smallTables.includes(table)),
      sql,
    ).toEqual([]);
  }
});

test('rows are kept for the promised times', () => {
  const hours = Object.entries(retention).map(([name, { milliseconds }]) => [
    name,
    (typeof milliseconds === 'number' ? milliseconds : milliseconds(service.deps.config)) / 3_600_000,
  ]);
  expect(Object.fromEntries(hours)).toEqual({
    sessions: 720,
    v1Tokens: 2_160,
    codes: 24,
    idTokens: 61 / 60,
    passkeyChallenges: 1 / 6,
    pendingFactors: 24,
    invalidDevices: 720,
    unusedDevices: 1_440,
    idleDevices: 6_480,
    receipts: 720,
    messages: 720,
    idempotencyKeys: 0,
    invitations: 0,
    events: 720,
    deliveries: 720,
    previousWebhookSecrets: 0,
    countedAuditEntries: 0,
    auditEntries: 9_600,
    dailyStats: 9_600,
    dailyActiveUsers: 24,
    retiredSigningKeys: 24 + 1 / 12,
  });
});
