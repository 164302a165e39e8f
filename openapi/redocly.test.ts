// The documents under the rules that their readers' tools apply.
import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const cli = createRequire(import.meta.url).resolve('@redocly/cli/bin/cli.js');

test.each(['v1.json', 'v2.json'])(
  "Redocly's recommended rules find neither an error nor a warning in %s",
  async (file) => {
    const document = fileURLToPath(new URL(file, import.meta.url));
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [cli, 'lint', document, '--extends=recommended', '--format=json'],
      { env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' } },
    );
    const report = JSON.parse(stdout) as { totals: object; problems: unknown[] };
    expect(report.problems).toEqual([]);
    expect(report.totals).toEqual({ errors: 0, warnings: 0, ignored: 0 });
  },
);
