// zod measures whatever has a length, even where a text is asked for and something else came: of {"length": {…}} it makes a
// comparison that throws, which no caller of a schema expects, and which ends a process where nobody waits for it.
import { z } from 'zod';

const checks = [z.core.$ZodCheckMinLength, z.core.$ZodCheckMaxLength, z.core.$ZodCheckLengthEquals];

/** From now on all schemas in `tree`, and all those within them, measure texts and arrays alone. */
export function measureTextsAndArraysAlone(tree: unknown, seen = new Set<unknown>()): void {
  if (typeof tree !== 'object' || tree === null || seen.has(tree)) return;
  seen.add(tree);
  if (!(tree instanceof z.ZodType)) {
    for (const part of Object.values(tree)) measureTextsAndArraysAlone(part, seen);
    return;
  }
  for (const check of tree._zod.def.checks ?? []) {
    if (checks.some((kind) => check instanceof kind)) check._zod.def.when = hasPlainLength;
  }
  measureTextsAndArraysAlone({ ...tree._zod.def }, seen);
}

function hasPlainLength({ value }: z.core.ParsePayload): boolean {
  return typeof value === 'string' || Array.isArray(value);
}
