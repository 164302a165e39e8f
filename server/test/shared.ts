// What all tests of a file use: a service or a scenario, started before them and stopped after them.
import { afterAll, beforeAll } from 'vitest';

/** Stands for what `start` resolves to; its members may be used in hooks and tests, but not while they are collected. */
export function shared<T extends { stop(): Promise<unknown> }>(start: () => Promise<T>): T {
  let started: T | undefined;
  beforeAll(async () => {
    started = await start();
  });
  afterAll(() => started?.stop());
  const readOnly = () => {
    throw new Error('only the members of what is shared may be read');
  };
  return new Proxy({} as T, {
    get: (_, name) => Reflect.get(started as T, name),
    set: readOnly,
    has: readOnly,
    ownKeys: readOnly,
  });
}
