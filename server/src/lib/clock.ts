// The one place that reads the time. Tests give a clock that is moved by hand.

export type Clock = { now(): Date };

export const systemClock: Clock = { now: () => new Date() };
