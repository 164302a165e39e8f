// The lists of files read their page alone, however many files and users the app has.
import { expect, test } from 'vitest';
import { genericPlan } from '../../test/generic-plan.js';
import { statementLog, testService } from '../../test/harness.js';
import { shared } from '../../test/shared.js';

type Plan = { 'Node Type': string; 'Index Name'?: string; 'Index Cond'?: string; Plans?: Plan[] };

const statements = statementLog();
const service = shared(() => testService({ onStatement: statements.onStatement }));

test.each([
  ['', 'files_pkey'],
  ['?owner_uid=01ARZ3NDEKTSV4RRFFQ69G5FAV', 'files_app_id_owner_id_id_idx'],
  ['?visibility=public', 'files_app_id_visibility_id_idx'],
])('the list%s reads files in their order by %s, and each owner by its id', async (query, index) => {
  const sent = await statements.during(() =>
    service.call('GET', `/admin/files${query}`, { token: service.app.secretKey }),
  );
  const sql = sent.find((text) => text.includes('FROM files')) as string;
  const [files, owners] = scansOf(await genericPlan<Plan>(service.database, sql));
  expect(files).toMatchObject({ 'Index Name': index });
  expect(owners?.['Index Cond']).toContain('files.owner_id');
});

function scansOf(plan: Plan): Plan[] {
  return [...(plan['Index Name'] ? [plan] : []), ...(plan.Plans ?? []).flatMap(scansOf)];
}
