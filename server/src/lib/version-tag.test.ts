// The version tag of a value.
import { expect, test } from 'vitest';
import { versionTag } from './version-tag.js';

test('a version tag is 32 hexadecimal digits in quotation marks, the same for the same value alone', () => {
  expect(versionTag({ name: 'Shop' })).toMatch(/^"[0-9a-f]{32}"$/);
  expect(versionTag({ name: 'Shop' })).toBe(versionTag({ name: 'Shop' }));
  expect(versionTag({ name: 'Shop' })).not.toBe(versionTag({ name: 'shop' }));
});
