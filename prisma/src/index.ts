// The database of Foyer: opening it, migrating it, and the types of its tables.

export { columnList, type Snake, snakeOf } from './columns.js';
export { DataDirInUseError } from './data-directory.js';
export type { Connection, Database, Db, OnStatement, Query, Tx } from './database.js';
export { isCutOff, isTimedOut, isUnavailable, uniqueViolation } from './database-errors.js';
export { distribute } from './distribute.js';
export * from './generated/client.js';
export { lockedTransaction } from './locked-transaction.js';
export { makeDirectory } from './make-directory.js';
export { MigrationError, migrate } from './migrate.js';
export { numbered, queryIn } from './numbered.js';
export { type OpenOptions, openDatabase } from './open.js';
