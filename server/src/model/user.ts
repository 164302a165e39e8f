// The columns of a user, in one table. SELECT lists, INSERT, UPDATE, the copy in events with its blanking, and the answers
// derive from it: a new field of the profile is one line here.
import type { User } from '@foyer/contract';
import { columnList, Prisma, type User as StoredUser, snakeOf } from '@foyer/prisma';
import { toWire } from './wire.js';

type Column = {
  /** The type in PostgreSQL, for values that travel as JSON. */
  type: 'text' | 'boolean' | 'int' | 'jsonb' | 'timestamptz';
  /** The answers that contain it: all about the user, or those to the app's backend. */
  shown?: 'user' | 'backend';
  /** An UPDATE may change it: also one that the user asks for with PATCH /me, or only the others. */
  changedBy?: 'user' | 'others';
  /** Events contain it. The deletion of the account puts `blank` in its place in those that are stored, or keeps it. */
  event?: { blank: null | false | object } | 'kept';
};

/** The columns, in the order of the answers. */
const columns = {
  uid: { type: 'text', shown: 'user', event: 'kept' },
  email: { type: 'text', shown: 'user', changedBy: 'others', event: { blank: null } },
  emailVerified: { type: 'boolean', shown: 'user', changedBy: 'others', event: { blank: false } },
  firstName: { type: 'text', shown: 'user', changedBy: 'user', event: { blank: null } },
  lastName: { type: 'text', shown: 'user', changedBy: 'user', event: { blank: null } },
  photoUrl: { type: 'text', shown: 'user', changedBy: 'user', event: { blank: null } },
  createdAt: { type: 'timestamptz', shown: 'user', event: 'kept' },
  disabled: { type: 'boolean', shown: 'backend', changedBy: 'others' },
  secondFactor: { type: 'boolean', shown: 'backend', changedBy: 'others' },
  claims: { type: 'jsonb', shown: 'backend', changedBy: 'others', event: { blank: {} } },
  memberId: { type: 'text', shown: 'backend', changedBy: 'others', event: { blank: null } },
  points: { type: 'int', shown: 'backend' },
  updatedAt: { type: 'timestamptz', shown: 'backend' },
  lastSignInAt: { type: 'timestamptz', shown: 'backend' },
  v1LastUsedAt: { type: 'timestamptz', shown: 'backend' },
  emailProven: { type: 'boolean', changedBy: 'others' },
  passwordHash: { type: 'text', changedBy: 'others' },
  passwordFromV1: { type: 'boolean', changedBy: 'others' },
  credentialVersion: { type: 'int' },
  ledgerSize: { type: 'int' },
  v1Id: { type: 'int' },
  language: { type: 'text' },
  lastActiveAt: { type: 'timestamptz' },
} as const satisfies Record<keyof UserColumns, Column>;

/** Every column of the table but the app's id, as the schema declares them. */
export type UserColumns = Omit<StoredUser, 'appId' | 'id' | 'claims'> & {
  uid: string;
  claims: Record<string, unknown>;
};

type Columns = typeof columns;
type Name = keyof Columns;
type NamesOf<Wanted> = { [Each in Name]: Columns[Each] extends Wanted ? Each : never }[Name];

const names = Object.keys(columns) as Name[];
const columnsOf: Record<Name, Column> = columns;

function namesWhere<Found extends Name>(has: (column: Column) => boolean): readonly Found[] {
  return names.filter((name): name is Found => has(columnsOf[name]));
}

export const userNames: readonly Name[] = names;
/** The fields of the profile, which the user may set. */
export type ProfileName = NamesOf<{ changedBy: 'user' }>;
export const profileNames = namesWhere<ProfileName>(({ changedBy }) => changedBy === 'user');
/** What accounts may change in a row. */
export type ChangedName = NamesOf<{ changedBy: string }>;

const shownToUser = namesWhere<NamesOf<{ shown: 'user' }>>(({ shown }) => shown === 'user');
export type BackendName = NamesOf<{ shown: 'backend' }>;
export const shownToBackend = namesWhere<BackendName>(({ shown }) => shown === 'backend');

/** What answers to the user contain, and the claims, which tokens do. */
export type UserRow = Pick<UserColumns, (typeof shownToUser)[number] | 'claims'>;

/** The name of a column in the table `users`. */
export function userColumn(name: Name): string {
  return name === 'uid' ? 'id' : snakeOf(name);
}

export function userColumnType(name: Name): string {
  return columns[name].type;
}

/** A list for SELECT, of the relation `of` if there is one. */
export function userColumnList(wanted: readonly Name[], of?: string): Prisma.Sql {
  return columnList(wanted, { ...(of !== undefined && { of }), columns: { uid: 'id' } });
}

/** The columns of a `UserRow`, of a relation named `u`. */
export const userColumns = userColumnList([...shownToUser, 'claims'], 'u');

/** The names that a provider gives of a user. */
export type PersonNames = Pick<UserRow, 'firstName' | 'lastName'>;

export function serializeUser(row: UserRow): User {
  return toWire(row, shownToUser);
}

/** What only counts inside of the service, beside the password. */
const internalNames = ['passwordHash', 'passwordFromV1', 'credentialVersion', 'ledgerSize'] as const;
export type ExportedName = Exclude<Name, (typeof internalNames)[number]>;
/** What an export contains of the columns: all about the user, without secrets. */
export const exportedNames = names.filter(
  (name): name is ExportedName => !(internalNames as readonly string[]).includes(name),
);

/** SQL of bytes in base64url, as WebAuthn writes them. */
export function base64urlText(bytes: string): string {
  return `translate(encode(${bytes}, 'base64'), E'+/=\\n', '-_')`;
}

/** SQL of a time as text, as it is on the wire but with microseconds. */
export function instantText(time: string): string {
  return `to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
}

const inEvents = namesWhere(({ event }) => event !== undefined);

/** The user object of events as jsonb, for a relation `u` with the columns of `users`. */
export const eventUser = Prisma.raw(
  `jsonb_build_object(${inEvents
    .map((name) => {
      const value = `u.${userColumn(name)}`;
      const isTime = columns[name].type === 'timestamptz';
      return `'${snakeOf(name)}', ${isTime ? instantText(value) : value}`;
    })
    .join(', ')})`,
);

/** The user object of the events of a deleted account, without what is kept. */
export const blankEventUser = Object.fromEntries(
  inEvents.flatMap((name) => {
    const { event } = columnsOf[name];
    return typeof event === 'object' ? [[snakeOf(name), event.blank]] : [];
  }),
);

/** The names on the wire of what events of a deleted account keep of the user. */
export const keptInEvents = namesWhere(({ event }) => event === 'kept').map((name) => snakeOf(name));
