// Chance that a seed repeats (mulberry32). What the processes and the browser do at the same moment is not repeated.
export type Random = ReturnType<typeof seeded>;

export function seeded(seed: number) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    passes: (probability: number) => next() < probability,
    between: (from: number, to: number) => from + next() * (to - from),
    one: <T>(values: readonly T[]): T => values[Math.floor(next() * values.length)]!,
    /** One name, as often as its weight says. */
    weighted<T extends string>(weights: Record<T, number>): T {
      const names = Object.entries<number>(weights).flatMap(([name, weight]) =>
        Array<T>(weight).fill(name as T),
      );
      return names[Math.floor(next() * names.length)]!;
    },
  };
}
