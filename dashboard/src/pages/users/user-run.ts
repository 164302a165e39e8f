// A change of several users, one call each. Its state is outside of the dialog that shows it: a dialog that is hidden and
// shown again must not change a user a second time.

type Outcome<User> = {
  state: 'ready' | 'running' | 'finished';
  done: number;
  failed: readonly { user: User; error: unknown }[];
};

export type UserRun<User> = {
  outcome: () => Outcome<User>;
  subscribe: (listener: () => void) => () => void;
  /** Changes the users one after another, once. Resolves with those that were not changed. */
  start: (change: (user: User) => Promise<unknown>) => Promise<User[]>;
  /** The call in progress ends, and no other begins. */
  stop: () => void;
};

export function createUserRun<User>(users: readonly User[]): UserRun<User> {
  let outcome: Outcome<User> = { state: 'ready', done: 0, failed: [] };
  let isStopped = false;
  const listeners = new Set<() => void>();

  function set(changed: Partial<Outcome<User>>) {
    outcome = { ...outcome, ...changed };
    for (const listener of listeners) listener();
  }

  async function changeAll(change: (user: User) => Promise<unknown>): Promise<User[]> {
    set({ state: 'running' });
    for (const user of users) {
      if (isStopped) break;
      try {
        await change(user);
      } catch (error) {
        set({ failed: [...outcome.failed, { user, error }] });
      }
      set({ done: outcome.done + 1 });
    }
    set({ state: 'finished' });
    return [...outcome.failed.map(({ user }) => user), ...users.slice(outcome.done)];
  }

  let running: Promise<User[]> | null = null;
  return {
    outcome: () => outcome,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    start(change) {
      running ??= changeAll(change);
      return running;
    },
    stop() {
      isStopped = true;
    },
  };
}
