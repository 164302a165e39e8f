// A token of v1: 64 hexadecimal characters, drawn at random, stored as the SHA-256 of that text.
import { limits } from '@foyer/contract';
import type { Deps } from '../../deps.js';
import { sha256 } from '../../lib/crypto/digest.js';

const form = new RegExp(`^[0-9a-f]{${limits.v1TokenCharacters}}$`);

export function newV1Token(deps: Pick<Deps, 'random'>): string {
  return deps.random.bytes(limits.v1TokenCharacters / 2).toString('hex');
}

/** Null when the format is not that of a v1 token. */
export function hashOfV1Token(token: string): Buffer | null {
  return form.test(token) ? sha256(token) : null;
}
