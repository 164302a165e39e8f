// `foyer help` lists the whole contract: nothing is written by hand that could be forgotten.
import { secretKeyScopes } from '@foyer/contract';
import { expect, test } from 'vitest';
import { runWithoutDatabase } from '../../test/command-line.js';
import { defaultSettings } from '../apps/default-settings.js';
import { serializeSettings } from '../apps/settings.js';
import type { App } from '../model/app.js';
import { help } from './help.js';
import { usage } from './usage.js';

const readOnly = ['v1_deprecated_at', 'private_key_set', 'service_account_set', 'project_id', 'public_key'];

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

test('help has the commands, every scope and every setting', async () => {
  const { code, stdout: text, stderr } = await runWithoutDatabase(['--help']);
  expect([code, text, stderr]).toEqual([0, help(), '']);
  expect(text.startsWith(usage)).toBe(true);
  for (const scope of secretKeyScopes) expect(text).toContain(` ${scope}`);
  const app: App = {
    ...{ id: 'id', slug: 'slug', name: 'name', appKey: 'pk', enabled: true, settings: defaultSettings() },
    ...{ accessTokenSeconds: 3_600, allowedOrigins: [], rateLimits: {} },
    tokenAlgorithm: 'ES256',
  };
  const names = namesIn(serializeSettings(app));
  expect(names.length).toBeGreaterThan(20);
  for (const name of names) expect(text).toMatch(new RegExp(`^  ${name.replaceAll('.', '\\.')}\\s`, 'm'));
  expect(text).toMatch(/rate_limits\.<.*client.*>\.limit/);
  expect(text.split('\n').filter((line) => line.includes('undefined'))).toEqual([]);
});
