// The usage printed for an invalid command line: the lines of its command only.
import { expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { runWithoutDatabase } from '../../test/command-line.js';
import { usage, usageOf } from './usage.js';

const commands = [
  ...['start', 'dev', 'migrate', 'apps', 'keys', 'pull', 'diff', 'apply', 'schema', 'console'],
  ...['import-v1', 'import', 'rotate-keys', 'version'],
];

test.each(commands)('%s has its own usage lines', (command) => {
  const own = usageOf(command);
  expect(own).toContain(`  foyer ${command} `);
  for (const other of commands) if (other !== command) expect(own).not.toContain(`  foyer ${other} `);
  expect(usage).toContain(own.trimEnd());
});

test.each([undefined, 'nothing', '.*', ''])('the command %j gets the full usage', (command) => {
  expect(usageOf(command)).toBe(usage);
});

test.each([
  [['keys', '--help'], 'keys'],
  [['import-v1', 'x.jsonl', '-h'], 'import-v1'],
  [['start', '--help'], 'start'],
])('%j prints usage and does nothing else', async (words, command) => {
  const told = await runWithoutDatabase(words);
  expect(told).toMatchObject({ code: 0, stdout: usageOf(command), stderr: '' });
});

test.each(['version', '--version', '-v'])('%s prints the version alone', async (word) => {
  const told = await runWithoutDatabase([word]);
  expect(told).toMatchObject({ code: 0, stdout: `${manifest.version}\n`, stderr: '' });
});

test('an unknown option is named', async () => {
  const { code, stderr } = await runWithoutDatabase(['apps', 'list', '--jsn']);
  expect([code, stderr]).toEqual([2, `foyer: there is no option "--jsn"\n\n${usageOf('apps')}`]);
});

test.each(['start', 'version'])('%s refuses an argument before it does anything', async (command) => {
  const { code, stdout, stderr } = await runWithoutDatabase([command, 'now']);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toBe(`foyer: "now" is an unexpected argument\n\n${usageOf(command)}`);
});
