// Retention at scale: each statement finds its rows by an index, so that its duration does not grow with the table.
import { expect, test } from 'vitest';
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
  const names = Object.keys(retention) as (keyof typeof retention)[];
  const sent = await statements.during(() => purge(service.deps, ...names));
  const deletions = [...new Set(sent.filter((sql) => /DELETE FROM|UPDATE/.test(sql)))];
  expect(deletions.length).toBeGreaterThanOrEqual(names.length - 1);
  await service.database.connection(async ({ query, script }) => {
    // As if the tables were large, and for any values.
    await script('SET enable_seqscan = off; SET plan_cache_mode = force_generic_plan');
    for (const sql of deletions) {
      await script(`PREPARE deletion AS ${sql}`);
      const values = Array(new Set(sql.match(/\$\d+/g)).size).fill('NULL');
      const given = values.length === 0 ? '' : `(${values})`;
      const [row] = await query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
        `EXPLAIN (FORMAT JSON) EXECUTE deletion${given}`,
      );
      const scanned = scannedTables((row as { 'QUERY PLAN': [{ Plan: Plan }] })['QUERY PLAN'][0].Plan);
      expect(
        scanned.filter((table) => !smallTables.includes(table)),
        sql,
      ).toEqual([]);
      await script('DEALLOCATE deletion');
    }
    await script('RESET enable_seqscan; RESET plan_cache_mode');
  });
});
