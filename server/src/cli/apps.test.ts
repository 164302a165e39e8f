// foyer apps, on one database from which every app is deleted in the end.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CommandLine, openCommandLine, runWithoutDatabase } from '../../test/command-line.js';

let foyer: CommandLine;
beforeAll(async () => {
  foyer = await openCommandLine();
});
afterAll(() => foyer.database.close());

const said = async (...words: string[]) => {
  const { code, stdout, stderr } = await foyer.run('apps', ...words);
  expect([code, stderr]).toEqual([0, '']);
  return stdout;
};
const refused = async (...words: string[]) => {
  const { code, stdout, stderr } = await foyer.run('apps', ...words);
  expect([code, stdout]).toEqual([1, '']);
  return stderr;
};

test('an app is created, listed, disabled, enabled and deleted', async () => {
  expect(await said('list')).toBe(
    'There is no app yet; create one with `foyer apps create --name <name>`.\n',
  );
  const made = await said('create', '--name', 'Shop', '--slug', 'shop', '--token-lifetime', '300');
  const [, id = '', key] = /app id {6}(\S+)\n.*\n {2}app key {5}(\S+)/.exec(made) ?? [];
  expect(await said('list')).toBe(`${id}  shop  ${key}  Shop\n`);
  expect(await said('show', 'shop')).toMatch(/^Shop\n/);
  expect(await said('enable', 'shop')).toBe('The app "Shop" is already enabled.\n');
  expect(await refused('delete', 'shop', '--confirm', 'shop')).toContain('the app shop is enabled');

  expect(await said('disable', 'shop')).toContain('Disabled the app "Shop"');
  expect(await said('disable', 'shop')).toBe('The app "Shop" is already disabled.\n');
  expect(await said('list')).toBe(`${id}  shop  ${key}  Shop  (disabled)\n`);
  expect(await said('show', 'shop')).toMatch(/^Shop {2}\(disabled\)\n/);
  expect(await said('enable', 'shop')).toContain('Enabled the app "Shop"');
  await said('disable', 'shop');

  expect(await refused('delete', 'shop')).toContain('To continue: foyer apps delete shop --confirm shop');
  expect(await refused('delete', 'shop', '--confirm', 'Shop')).toContain('permanently');
  expect(await said('delete', 'shop', '--confirm', id)).toMatch(/^Deleted the app "Shop": \d+ rows/);
  expect(await said('list')).toContain('There is no app yet');
});

describe('refused with a message:', () => {
  const create = ['apps', 'create', '--name', 'Shop', '--slug', 'shop'];
  const lifetime = '--token-lifetime must be 300 to 86400 seconds';
  test.each<[string, string[], string]>([
    ['a lifetime that is too short', [...create, '--token-lifetime', '299'], lifetime],
    ['a lifetime that is too long', [...create, '--token-lifetime', '86401'], lifetime],
    ['a lifetime that is not whole', [...create, '--token-lifetime', '300.5'], lifetime],
    ['an unknown algorithm', [...create, '--token-algorithm', 'HS256'], 'must be ES256 or RS256'],
    ['settings without an app', ['apps', 'set'], 'requires an app and at least one name=value'],
    ['an app without settings', ['apps', 'set', 'shop'], 'requires an app and at least one name=value'],
  ])('%s', async (_what, words, part) => {
    const { code, stdout, stderr } = await runWithoutDatabase(words);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(part);
  });
});
