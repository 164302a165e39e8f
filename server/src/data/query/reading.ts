// What a call that reads records is given: turns, and room for what it reads.
import type { QueryTurns } from './query-turns.js';

export type Reading = {
  turns: QueryTurns;
  /** Before so many bytes are read: throws `request/unavailable` where memory has no room for them. */
  reserve(bytes: number): void;
};
