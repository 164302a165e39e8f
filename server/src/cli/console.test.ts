// foyer console, and the commands that the reserved app `console` refuses.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CommandLine, openCommandLine } from '../../test/command-line.js';

let foyer: CommandLine;
beforeAll(async () => {
  foyer = await openCommandLine();
});
afterAll(() => foyer.database.close());

const run: CommandLine['run'] = (...words) => foyer.run(...words);
const links = () => foyer.database.prisma.invitation.findMany({ where: { email: null } });

test('invite-owner prints a link that ends the one before, also before the first start', async () => {
  const first = await run('console', 'invite-owner');
  expect([first.code, first.stderr]).toEqual([0, '']);
  expect(first.stdout).toMatch(
    /^Open http\S+\/dashboard\/invitation#inv_[\w-]{43} to become an owner of this service\.\nThe link works once, within 24 hours, and ends the links printed before it\.\n$/,
  );
  const [before] = await links();
  const { stdout } = await run('console', 'invite-owner', '--json');
  const { link } = JSON.parse(stdout);
  expect(link).toMatch(/#inv_[\w-]{43}$/);
  const after = await links();
  expect(after).toHaveLength(1);
  expect(after[0]?.id).not.toBe(before?.id);
  const entries = await foyer.database.prisma.auditLog.findMany({ where: { action: 'member.invited' } });
  expect(entries.map(({ actor }) => actor)).toEqual(['command_line', 'command_line']);
  expect(JSON.stringify(entries)).not.toContain('inv_');
});

test('the app console is not listed', async () => {
  expect(JSON.parse((await run('apps', 'list', '--json')).stdout)).toEqual([]);
});

test.each([
  ['apps', 'show', 'console'],
  ['apps', 'set', 'console', 'sign_up=open'],
  ['apps', 'rename', 'console', '--name', 'Other'],
  ['apps', 'disable', 'console'],
  ['apps', 'enable', 'console'],
  ['apps', 'delete', 'console', '--confirm', 'console'],
  ['keys', 'create', 'console', '--name', 'Key', '--all-scopes'],
  ['keys', 'list', 'console'],
])('%s %s console is refused with a sentence', async (...words) => {
  const { code, stdout, stderr } = await run(...words);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^foyer: the app console is reserved for the accounts of the team; [^\n]+\n$/);
});

test('the slug console is refused', async () => {
  const { code, stderr } = await run('apps', 'create', '--name', 'Mine', '--slug', 'console');
  expect(code).toBe(2);
  expect(stderr).toMatch(/^foyer: --slug is reserved\n/);
});

test('an unknown command is answered with the usage', async () => {
  const { code, stderr } = await run('console', 'members');
  expect(code).toBe(2);
  expect(stderr).toContain('foyer console invite-owner');
});
