// zod measures whatever has a length, even where a text is asked for and something else came: of {"length": {…}} it makes a
// comparison that throws, which no caller of a schema expects, and which ends a process where nobody waits for it.
import { z } from 'zod';

const checks = [z.core.$ZodCheckMinLength, z.core.$ZodCheckMaxLength, z.core.$ZodCheckLengthEquals];

/**
 * The same tree: from now on all schemas in it, and all those within them, measure texts and arrays alone. For whatever judges
 * JSON from outside; the contract's own are done.
 */
export function measureTextsAndArraysAlone<Tree>(tree: Tree): Tree {
  mend(tree, new Set());
  return tree;
}

function mend(tree: unknown, seen: Set<unknown>): void {
  if (typeof tree !== 'object' || tree === null || seen.has(tree)) return;
  seen.add(tree);
  if (!(tree instanceof z.ZodType)) {
    for (const part of Object.values(tree)) mend(part, seen);
    return;
  }
  for (const check of tree._zod.def.checks ?? []) {
    if (checks.some((kind) => check instanceof kind)) check._zod.def.when = hasPlainLength;
  }
  mend({ ...tree._zod.def }, seen);
}

function hasPlainLength({ value }: z.core.ParsePayload): boolean {
  return typeof value === 'string' || Array.isArray(value);
}
