// The values of a schedule: when it starts, how its clock passes, who calls, and the answer to each verdict of the model.
import type { Chance } from '../../test/bad-values.js';
import type { Step } from './process.js';

/** An operation under way. `took` is called as each of its statements or transactions runs, and moves the model. */
export type Operation = {
  name: string;
  step: (Step & { at: number }) | null;
  took: (at: number, place: number) => void;
  places: number;
};

export const epoch = Date.parse('2026-03-01T10:00:00.123Z');
const minute = 60_000;
const day = 86_400_000;
/** Around every limit of the state tables, and small steps back. */
export const passes = [0, 0, 1, 1_000, 29_999, 30_000, 30_001, minute, 599_999, 600_001, 61 * minute, -1_500];
export const rarePasses = [90 * day - 1, 90 * day, 90 * day + 1, 2 * day, -40_000];

export const refreshAnswers = {
  ok: 'ok',
  reuse: 'auth/refresh-token-revoked',
  revoked: 'auth/refresh-token-revoked',
  invalid: 'auth/invalid-token',
  limited: 'request/rate-limited',
};

export const guessAnswers = {
  right: 'auth/invalid-code',
  wrong: 'auth/invalid-code',
  expired: 'auth/code-expired',
};

export function randomBytesOf(chance: Chance, count: number): number[] {
  return Array.from({ length: count }, () => chance.number(256));
}

export function wrongCode(code: string): string {
  return String((Number(code) + 1) % 1_000_000).padStart(6, '0');
}
