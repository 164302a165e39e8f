// `foyer help` lists the whole contract: nothing is written by hand that could be forgotten.
import { secretKeyScopes } from '@foyer/contract';
import { expect, test } from 'vitest';
import { runWithoutDatabase } from '../../test/command-line.js';
import { defaultSettings } from '../apps/default-settings.js';
import type { App } from '../model/app.js';
import { serializeSettings } from '../settings/settings.js';
import { help, settingsOf, wrapped } from './help.js';
import { usage } from './usage.js';

const readOnly = [
  'v1_deprecated_at',
  'client_secret_set',
  'private_key_set',
  'private_key_fault',
  'service_account_set',
  'service_account_fault',
  'project_id',
  'public_key',
];

/** Setting names such as `mail.from_name`, as serialized. */
function namesIn(settings: object, above = ''): string[] {
  return Object.entries(settings).flatMap(([key, value]) =>
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? namesIn(value, `${above}${key}.`)
      : readOnly.includes(key)
        ? []
        : [`${above}${key}`],
  );
}

test('a setting whose name reaches the column of the values has its value on the next line', () => {
  const [shorter, longer] = ['x'.repeat(35), 'x'.repeat(36)];
  expect(settingsOf({ type: 'string' }, shorter)).toEqual([`  ${shorter} text`]);
  expect(settingsOf({ type: 'string' }, longer)).toEqual([`  ${longer}`, `${' '.repeat(38)}text`]);
});

test('a line has up to 110 characters', () => {
  const [first, second] = ['a'.repeat(50), 'b'.repeat(57)];
  expect(wrapped([first, second])).toBe(`  ${first} ${second}`);
  expect(wrapped([first, `${second}b`])).toBe(`  ${first}\n  ${second}b`);
});

test('help has the commands, every scope and every setting', async () => {
  const { code, stdout: text, stderr } = await runWithoutDatabase(['--help']);
  expect([code, text, stderr]).toEqual([0, help(), '']);
  expect(text.startsWith(usage)).toBe(true);
  for (const scope of secretKeyScopes) expect(text).toContain(` ${scope}`);
  const passkeys = { rp_id: 'example.com', rp_name: 'Example', origins: ['https://example.com'] };
  const settings = { ...defaultSettings(), passkeys };
  const app: App = {
    ...{ id: 'id', slug: 'slug', name: 'name', appKey: 'pk', enabled: true, settings },
    ...{ accessTokenSeconds: 3_600, allowedOrigins: [], rateLimits: {}, rateLimitFactors: {} },
    tokenAlgorithm: 'ES256',
  };
  const names = namesIn(serializeSettings(app));
  expect(names.length).toBeGreaterThan(20);
  for (const name of names) expect(text).toMatch(new RegExp(`^  ${name.replaceAll('.', '\\.')}\\s`, 'm'));
  expect(text).toMatch(/^ {2}rate_limits\.client\s+0\.001 to 1000$/m);
  expect(text.split('\n').filter((line) => line.includes('undefined'))).toEqual([]);
});
