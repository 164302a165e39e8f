// The documents under the rules that their readers' tools apply.
import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const cli = createRequire(import.meta.url).resolve('@redocly/cli/bin/cli.js');

test("Redocly's recommended rules find neither an error nor a warning", async () => {
  const documents = ['v1.json', 'v2.json'].map((file) => fileURLToPath(new URL(file, import.meta.url)));
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [cli, 'lint', ...documents, '--extends=recommended', '--format=json'],
    { env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' } },
  );
  // The command prints one report after another.
  expect(JSON.parse(`[${stdout.replaceAll('}{', '},{')}]`)).toMatchObject(
    documents.map(() => ({ totals: { errors: 0, warnings: 0, ignored: 0 }, problems: [] })),
  );
});
