// The table "What each role may do" says what the contract says, of every call that a role may make in an app.
import { contract, metadataOf, rolesOf, secretKeyScopes } from '@foyer/contract';
import { expect, test } from 'vitest';
import { scopeGroups } from '../../components/scope-names.ts';
import { roleGroups } from './role-rows.ts';

test('every scope is in one group', () => {
  expect(scopeGroups.flatMap(({ scopes }) => scopes).toSorted()).toEqual(secretKeyScopes.toSorted());
});

test('every call that only team members make in an app is in one row, with its roles', () => {
  const { keys, settingsChecks, console: ofConsole } = contract;
  const calls = Object.entries({ ...keys, ...settingsChecks, ...ofConsole }).filter(([, route]) => {
    const { scope, role } = metadataOf(route);
    return scope === undefined && role !== null;
  });
  // Those of owners of the service, in no app.
  const others = ['createApp', 'getSettings', 'updateSettings', 'removeFactors', 'listAuditLog'];
  const inApps = calls.filter(([name]) => !others.includes(name));
  const rows = roleGroups.flatMap((group) => group.rows);
  const shown = rows.flatMap(({ routes = [], may }) => routes.map((name) => [name, may]));
  const allowed = inApps.map(([name, route]) => [name, rolesOf(metadataOf(route))]);
  expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(allowed));
  expect(shown).toHaveLength(allowed.length);
});
