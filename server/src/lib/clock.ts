// The only reader of the system time. Tests use a manual clock.

export type Clock = { now(): Date };

export const systemClock: Clock = { now: () => new Date() };
