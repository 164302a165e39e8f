import { accessModes } from '@foyer/contract';
import { expect, test } from 'vitest';
import { type Access, type Action, accessOf, hidesForeignRecords, type Who } from './access-rules.js';

type Row = [anonymous: Access, user: Access, backend: Access];

const backendOnly: Row = ['denied', 'denied', 'all'];
const signedIn: Row = ['sign-in', 'all', 'all'];
const ownOnly: Row = ['sign-in', 'own', 'all'];
const everyone: Row = ['all', 'all', 'all'];

const table: Record<(typeof accessModes)[number], Record<Action, Row> & { hides: boolean }> = {
  admin: { read: backendOnly, create: backendOnly, change: backendOnly, hides: false },
  public_read: { read: everyone, create: backendOnly, change: backendOnly, hides: false },
  signed_in_read: { read: signedIn, create: backendOnly, change: backendOnly, hides: false },
  owner: { read: ownOnly, create: signedIn, change: ownOnly, hides: true },
  owner_public_read: { read: everyone, create: signedIn, change: ownOnly, hides: false },
  owner_signed_in_read: { read: signedIn, create: signedIn, change: ownOnly, hides: false },
  shared: { read: signedIn, create: signedIn, change: signedIn, hides: false },
};

test.each(accessModes)('the rules of access mode %s', (mode) => {
  const { hides, ...actions } = table[mode];
  for (const [action, row] of Object.entries(actions) as [Action, Row][]) {
    const callers: Who[] = ['anonymous', 'user', 'backend'];
    expect([action, ...callers.map((who) => accessOf(mode, action, who))]).toEqual([action, ...row]);
  }
  expect(hidesForeignRecords(mode)).toBe(hides);
});
