// What somebody reads who has not got a command right: the lines of that command, not all of them.
import { expect, test } from 'vitest';
import { runWithoutDatabase } from '../../test/command-line.js';
import { usage, usageOf } from './usage.js';

const commands = ['start', 'migrate', 'apps', 'keys', 'import-v1', 'rotate-keys'];

test.each(commands)('%s is told by its own lines', (command) => {
  const own = usageOf(command);
  expect(own).toContain(`  foyer ${command} `);
  for (const other of commands) if (other !== command) expect(own).not.toContain(`  foyer ${other} `);
  expect(usage).toContain(own.trimEnd());
});

test.each([undefined, 'nothing', '.*', ''])('the command %j is told by all lines', (command) => {
  expect(usageOf(command)).toBe(usage);
});

test.each([
  [['keys', '--help'], 'keys'],
  [['import-v1', 'x.jsonl', '-h'], 'import-v1'],
  [['start', '--help'], 'start'],
])('%j helps, and does nothing', async (words, command) => {
  const told = await runWithoutDatabase(words);
  expect(told).toMatchObject({ code: 0, stdout: usageOf(command), stderr: '' });
});

test('an option that there is not is named', async () => {
  const { code, stderr } = await runWithoutDatabase(['apps', 'list', '--jsn']);
  expect([code, stderr]).toEqual([2, `foyer: there is no option "--jsn"\n\n${usageOf('apps')}`]);
});
