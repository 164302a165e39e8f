import { expect, test } from 'vitest';
import { isRoot } from '../faults/postgresql.js';
import { missingPrograms } from './missing-programs.js';

const none = '/nonexistent';

test('the failover test names every program, and the user, that is missing', () => {
  expect(missingPrograms({ path: none, versions: none, user: 'nonexistent' })).toEqual([
    'patroni',
    'etcd',
    'haproxy',
    'redis-server',
    "PostgreSQL's server programs",
    ...(isRoot ? ['the user nonexistent'] : []),
  ]);
});
