// Limits of settings that an app may already have passed, as when a limit has become lower.
import { expect, test } from 'vitest';
import { defaultSettings } from '../apps/default-settings.js';
import { deprecatedAt, hasTooManyProviders, purposesWithTooManyTexts } from './settings-rules.js';

type Settings = Parameters<typeof hasTooManyProviders>[0];

const entries = <Value>(count: number, value: Value) =>
  Object.fromEntries(Array.from({ length: count }, (_, place) => [`name-${place}`, value]));

test.each([
  [49, 50, false],
  [50, 51, true],
  [51, 51, false],
  [52, 51, false],
  [51, 52, true],
])('a mail with %d languages that gets %d has too many: %j', (before, after, tooMany) => {
  const settings = (count: number) => {
    const mail = { ...defaultSettings().mail, texts: { sign_in: entries(count, {}) } };
    return { ...defaultSettings(), mail } as unknown as Settings;
  };
  expect(purposesWithTooManyTexts(settings(before), settings(after))).toEqual(tooMany ? ['sign_in'] : []);
});

test.each([
  [19, 20, false],
  [20, 21, true],
  [21, 21, false],
  [21, 22, true],
])('an app with %d providers that gets %d has too many: %j', (before, after, tooMany) => {
  const settings = (count: number) =>
    ({ ...defaultSettings(), providers: entries(count, {}) }) as unknown as Settings;
  expect(hasTooManyProviders(settings(before), settings(after))).toBe(tooMany);
});

test.each([
  [null, null, '2026-01-01', null],
  [null, '2026-02-01', '2026-01-01', '2026-01-01'],
  [null, '2025-12-01', '2026-01-01', '2025-12-01'],
  ['2025-06-01', '2026-02-01', '2026-01-01', '2025-06-01'],
])(
  'v1, deprecated at %j and shut down at %j, is now, at %s, deprecated since %j',
  (since, sunsetAt, now, shown) => {
    const settings = { ...defaultSettings(), v1_deprecated_at: since } as Settings;
    expect(deprecatedAt(settings, sunsetAt, now)).toBe(shown);
  },
);
