// Values that were read a short time ago, by key: what every request needs and may be seconds old. Bounded; the value that
// was set first is dropped first.
import type { Clock } from './clock.js';

export type RecentValues<Value> = {
  /** Undefined if none was set within the time. */
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
  delete(key: string): void;
};

export function recentValues<Value>(
  clock: Clock,
  limits: { milliseconds: number; entries: number },
): RecentValues<Value> {
  const values = new Map<string, { value: Value; setAt: number }>();
  return {
    get(key) {
      const known = values.get(key);
      if (!known) return undefined;
      const age = clock.now().getTime() - known.setAt;
      // Negative after the clock has stepped back, which makes the age unknown.
      return age >= 0 && age < limits.milliseconds ? known.value : undefined;
    },
    set(key, value) {
      values.delete(key);
      values.set(key, { value, setAt: clock.now().getTime() });
      const [first] = values.keys();
      if (values.size > limits.entries && first !== undefined) values.delete(first);
    },
    delete(key) {
      values.delete(key);
    },
  };
}
