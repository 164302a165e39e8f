// A database that can be cut off: while `state.away` is set, every call of its client is refused.
import type { Database } from '@foyer/prisma';

export function cutOff({ prisma }: Database) {
  const state = { away: true };
  const refused = () => Promise.reject(Object.assign(new Error('cut off'), { code: 'ECONNREFUSED' }));
  const get = (target: typeof prisma, name: string | symbol) =>
    state.away ? refused : Reflect.get(target, name);
  return { state, prisma: new Proxy(prisma, { get }) };
}
