// The documents under the rules that their readers' tools apply.
import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const cli = createRequire(import.meta.url).resolve('@redocly/cli/bin/cli.js');

test.each([
  {
    files: ['v1.json', 'v2.json', 'v2.arazzo.json'],
    // The callback of providers answers browsers, with a redirect only.
    without: ['--skip-rule=operation-2xx-response'],
  },
  // Their one answer for all errors is `default`.
  {
    files: ['v2.client.json', 'v2.client-3.0.json', 'v2.webhooks.json'],
    without: ['--skip-rule=operation-4xx-response'],
  },
])("Redocly's strict rules find nothing in $files", async ({ files, without }) => {
  const documents = files.map((file) => fileURLToPath(new URL(file, import.meta.url)));
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [cli, 'lint', ...documents, '--extends=recommended-strict', ...without, '--format=json'],
    { env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' } },
  );
  // The command prints one report after another.
  expect(JSON.parse(`[${stdout.replaceAll('}{', '},{')}]`)).toMatchObject(
    documents.map(() => ({ totals: { errors: 0, warnings: 0, ignored: 0 }, problems: [] })),
  );
});
