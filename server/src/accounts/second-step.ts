// Decides who needs a second factor. It is a condition on the `users` row that every sign-in locks anyway, so it costs no extra
// statement.
import { Prisma } from '@foyer/prisma';
import { type App, secondFactorRule } from '../model/app.js';

export type SecondStepOf = 'nobody' | 'enrolled' | 'everybody';

export function secondStepOf(app: App, { isDone = false } = {}): SecondStepOf {
  const rule = secondFactorRule(app);
  if (rule === 'off' || isDone) return 'nobody';
  return rule === 'required' ? 'everybody' : 'enrolled';
}

/** The condition on a relation `u` of users that a second step is needed. */
export const needsSecondStep: Record<SecondStepOf, Prisma.Sql> = {
  nobody: Prisma.sql`false`,
  enrolled: Prisma.sql`u.second_factor`,
  everybody: Prisma.sql`true`,
};
