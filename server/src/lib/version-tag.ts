// The version of a value that has no number: changes when the value does.
import { sha256 } from './crypto/digest.js';

const hashCharacters = 32;

export function versionTag(value: unknown): string {
  return `"${sha256(JSON.stringify(value)).toString('hex').slice(0, hashCharacters)}"`;
}
