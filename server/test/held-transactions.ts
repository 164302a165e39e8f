// Transactions that begin, and wait until they are released.
import type { Deps } from '../src/deps.js';
import type { TestService } from './harness.js';
import { until } from './until.js';

export type HeldTransactions = ReturnType<typeof holdTransactions>;

/** Holds all but the first `after`. */
export function holdTransactions(deps: Pick<Deps, 'prisma'>, { after = 0 } = {}) {
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
        if (began > after) await released;
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

/**
 * The answer to a call of another instance, which waits to begin its transaction, the one after `after` others, until
 * `meanwhile` is done.
 */
export async function lateAnswer<T>(
  service: TestService,
  call: (late: TestService) => Promise<T>,
  meanwhile: () => Promise<unknown>,
  options: { after?: number; config?: TestService['deps']['config'] } = {},
): Promise<T> {
  const { config } = options;
  const late = await service.secondInstance(config && { config });
  const held = holdTransactions(late.deps, options);
  try {
    const answer = call(late);
    await until(() => held.began() > (options.after ?? 0));
    await meanwhile();
    held.end();
    return await answer;
  } finally {
    held.end();
    await late.stop();
  }
}
