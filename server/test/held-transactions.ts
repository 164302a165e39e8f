// Transactions that begin, and wait until they are released.
import type { Deps } from '../src/deps.js';

export type HeldTransactions = ReturnType<typeof holdTransactions>;

export function holdTransactions(deps: Pick<Deps, 'prisma'>) {
  const { prisma } = deps;
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let began = 0;
  deps.prisma = new Proxy(prisma, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (name !== '$transaction') return value;
      return async (...args: unknown[]) => {
        began += 1;
        await released;
        return value.apply(target, args);
      };
    },
  });
  return {
    began: () => began,
    end() {
      deps.prisma = prisma;
      release();
    },
  };
}
