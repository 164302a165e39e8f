// What a read of records may use of the process and the database.
import type { WorkTurns } from '../../deps.js';

export type ReadResources = {
  /**
   * A query begins with a turn for short ones, which most need for their whole duration, and exchanges it for one for long
   * queries.
   */
  takeTurn(work: 'list' | 'short-query' | 'long-query', milliseconds: number): ReturnType<WorkTurns['take']>;
  /** Call it as soon as the bytes are known; throws `request/unavailable` when the memory budget is exhausted. */
  reserve(bytes: number): void;
};
