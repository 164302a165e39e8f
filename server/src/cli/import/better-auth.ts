// better-auth: rows of its table `user`, with those of `account` if the query of README.md joined them. Its adapters name
// columns in camel case or in snake case.
import { snakeOf } from '@foyer/prisma';
import { namesOf } from '../../lib/full-name.js';
import type { Fields } from '../../lib/json-rules.js';
import { type ExportFormat, identitiesOf, passwordWords } from './exported-user.js';
import { isTrue, listOf, textOf, timeOf } from './values.js';

export const betterAuth: ExportFormat = {
  name: 'better-auth',
  csv: true,
  read(record, now) {
    const rows = listOf(record.accounts);
    const accounts = (rows ?? []).map((row) => ({
      provider: textOf(column(row, 'providerId')) ?? '',
      subject: column(row, 'accountId'),
      email: null,
      linkedAt: timeOf(column(row, 'createdAt')),
      password: textOf(row.password),
    }));
    const { identities, leftOut } = identitiesOf(
      accounts.filter(({ provider }) => provider !== 'credential'),
    );
    const role = textOf(record.role);
    const banEnds = timeOf(column(record, 'banExpires'));
    return {
      id: textOf(record.id) ?? (typeof record.id === 'number' ? String(record.id) : null),
      email: textOf(record.email),
      emailVerified: isTrue(column(record, 'emailVerified')),
      ...namesOf(textOf(record.name)),
      photoUrl: textOf(record.image),
      createdAt: timeOf(column(record, 'createdAt')),
      lastSignInAt: null,
      disabled: isTrue(record.banned) && (banEnds === null || banEnds > now),
      // Only its admin plugin sets the role; `user` is everyone's.
      claims: role === null || role === 'user' ? {} : { role },
      identities,
      hasPhone: textOf(column(record, 'phoneNumber')) !== null,
      refusal: isTrue(column(record, 'isAnonymous')) ? 'is anonymous' : null,
      leftOut: [
        ...leftOut,
        ...(rows === null ? ['accounts (not in the file)'] : []),
        ...accounts.flatMap(({ password }) => (password === null ? [] : [hashWords(password)])),
        ...(isTrue(column(record, 'twoFactorEnabled')) ? ['second factor'] : []),
        ...(textOf(record.username) === null ? [] : ['username']),
      ],
    };
  },
};

function column(row: Fields, name: string): unknown {
  return row[name] ?? row[snakeOf(name)];
}

/** By default `<salt>:<key>` in hexadecimal, of scrypt. */
function hashWords(hash: string): string {
  return passwordWords(hash, /^[0-9a-f]+:[0-9a-f]+$/.test(hash) ? 'better-auth scrypt' : undefined);
}
