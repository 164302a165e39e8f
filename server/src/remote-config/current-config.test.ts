// Which version of the config an instance serves when changes and queries overlap.
import { expect, test } from 'vitest';
import { manualClock } from '../../test/harness.js';
import type { VersionTag } from '../deps.js';
import { recentValues } from '../lib/recent-values.js';
import { recentConfigTags, rememberNewestTag } from './current-config.js';

test('of two changes that end in the opposite order the newer one remains', () => {
  const tags = recentValues<VersionTag>(manualClock(), recentConfigTags);
  const [second, third] = [2, 3].map((version) => ({ version, contentHash: `hash-${version}` })) as [
    VersionTag,
    VersionTag,
  ];
  expect(rememberNewestTag(tags, 'app', third)).toBe(third);
  expect(rememberNewestTag(tags, 'app', second)).toBe(third);
  expect(tags.get('app')).toBe(third);
  expect(rememberNewestTag(tags, 'other', second)).toBe(second);
});
