// The pages that the navigation offers to each role.
import { expect, test } from 'vitest';
import { navigationFor } from './navigation-items.ts';

const labelsFor = (role: Parameters<typeof navigationFor>[0]) =>
  navigationFor(role).flatMap(({ items }) => items.map(({ label }) => label));

test.each(['viewer', 'support', 'editor'] as const)('a %s is offered no page that only says no', (role) => {
  const administration = ['Keys', 'Webhooks', 'Settings'];
  expect(labelsFor(role)).toEqual(labelsFor('owner').filter((label) => !administration.includes(label)));
});

test('an admin is offered every page, and nobody one before the role is known', () => {
  expect(labelsFor('admin')).toEqual(labelsFor('owner'));
  expect(labelsFor(undefined)).toEqual([]);
});
