// Who may do what with the records of a collection: the table of access modes (conventions of the API, "Data collections").
import type { accessModes } from '@foyer/contract';

/** Anybody with the app key, a signed-in user, or the app's own backend, whose secret key has the scope. */
export type Who = 'nobody' | 'user' | 'backend';
export type Action = 'read' | 'create' | 'change';
/** `own`: on the own records alone. `sign-in`: not without a token, though with one it might be. */
export type Access = 'all' | 'own' | 'sign-in' | 'denied';

type Rule = 'backend' | 'anybody' | 'signed-in' | 'owner';

const rules: Record<(typeof accessModes)[number], Record<Action, Rule>> = {
  admin: { read: 'backend', create: 'backend', change: 'backend' },
  public_read: { read: 'anybody', create: 'backend', change: 'backend' },
  signed_in_read: { read: 'signed-in', create: 'backend', change: 'backend' },
  owner: { read: 'owner', create: 'signed-in', change: 'owner' },
  owner_public_read: { read: 'anybody', create: 'signed-in', change: 'owner' },
  owner_signed_in_read: { read: 'signed-in', create: 'signed-in', change: 'owner' },
  shared: { read: 'signed-in', create: 'signed-in', change: 'signed-in' },
};

export function accessOf(mode: (typeof accessModes)[number], action: Action, who: Who): Access {
  const rule = rules[mode][action];
  if (who === 'backend' || rule === 'anybody') return 'all';
  if (rule === 'backend') return 'denied';
  if (who === 'nobody') return 'sign-in';
  return rule === 'owner' ? 'own' : 'all';
}

/** Where another's records cannot be read, that there is one is not said either. */
export function hidesOthers(mode: (typeof accessModes)[number]): boolean {
  return rules[mode].read === 'owner';
}
