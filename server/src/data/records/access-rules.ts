// The table of access modes: which caller may do what with the records of a collection.
import type { accessModes } from '@foyer/contract';

/** A client with the app key only, a signed-in user, or the app's backend, whose secret key has the scope. */
export type Who = 'anonymous' | 'user' | 'backend';
export type Action = 'read' | 'create' | 'change';
/** `own`: own records only. `sign-in`: refused without an access token, with which it might be allowed. */
export type Access = 'all' | 'own' | 'sign-in' | 'denied';

type Rule = 'backend' | 'public' | 'signed-in' | 'owner';

const rules: Record<(typeof accessModes)[number], Record<Action, Rule>> = {
  admin: { read: 'backend', create: 'backend', change: 'backend' },
  public_read: { read: 'public', create: 'backend', change: 'backend' },
  signed_in_read: { read: 'signed-in', create: 'backend', change: 'backend' },
  owner: { read: 'owner', create: 'signed-in', change: 'owner' },
  owner_public_read: { read: 'public', create: 'signed-in', change: 'owner' },
  owner_signed_in_read: { read: 'signed-in', create: 'signed-in', change: 'owner' },
  shared: { read: 'signed-in', create: 'signed-in', change: 'signed-in' },
};

export function accessOf(mode: (typeof accessModes)[number], action: Action, who: Who): Access {
  const rule = rules[mode][action];
  if (who === 'backend' || rule === 'public') return 'all';
  if (rule === 'backend') return 'denied';
  if (who === 'anonymous') return 'sign-in';
  return rule === 'owner' ? 'own' : 'all';
}

/** Does not reveal whether a record exists that the caller may not read. */
export function hidesForeignRecords(mode: (typeof accessModes)[number]): boolean {
  return rules[mode].read === 'owner';
}
