// Whether a user has a code of a purpose that could still be confirmed; and the end of all codes of an account.
import type { Prisma } from '@foyer/prisma';
import type { Deps } from '../deps.js';
import { isLive } from './code-rules.js';
import { type CodeKey, deleteCodesOf, findCode } from './store.js';

export async function hasLiveCode(deps: Pick<Deps, 'prisma' | 'clock'>, key: CodeKey): Promise<boolean> {
  const code = await findCode(deps.prisma, key);
  return code !== null && isLive(code, deps.clock.now());
}

export function forgetCodes(tx: Prisma.TransactionClient, appId: string, subjects: string[]): Promise<void> {
  return deleteCodesOf(tx, appId, subjects);
}
