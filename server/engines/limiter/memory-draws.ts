// Draws in bounded memory: who may take the slots of a period is drawn from those who asked in the period before, so that asking
// first, or often, gains nothing.

/** One request of an entrant. */
export type Draw = {
  key: string;
  entrant: string;
  /** The lowest ranks are drawn. The rank of an entrant in a period is always the same, and cannot be predicted. */
  rank: number;
  slots: number;
  /** The number of the period. */
  period: number;
  periodMilliseconds: number;
};

type Period = { period: number; entrants: Entrant[]; drawn: Entrant[] };
type Entrant = { entrant: string; rank: number };

/**
 * Enters the draw for the next period. Returns whether the entrant was drawn for this one; true for all if there was no
 * request in the period before.
 */
export function memoryDraws(maxKeys = 50_000): (draw: Draw) => boolean {
  const periods = new Map<string, Period>();

  return ({ key, entrant, rank, slots, period }) => {
    let current = periods.get(key);
    periods.delete(key);
    if (current?.period !== period) {
      const drawn = current?.period === period - 1 ? current.entrants : [];
      current = { period, entrants: [], drawn };
    }
    // The most recently used is the last.
    if (periods.size >= maxKeys) periods.delete(periods.keys().next().value as string);
    periods.set(key, current);
    const others = current.entrants.filter((other) => other.entrant !== entrant);
    current.entrants = [...others, { entrant, rank }].sort((a, b) => a.rank - b.rank).slice(0, slots);
    return current.drawn.length === 0 || current.drawn.some((other) => other.entrant === entrant);
  };
}
