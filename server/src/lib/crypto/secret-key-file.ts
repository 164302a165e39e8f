// The SECRET_KEY of an embedded installation: made at the first start and kept beside the data, for its owner's eyes.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Random } from './random.js';

export function ownSecretKey(dataDir: string, random: Random): string {
  const file = join(dataDir, 'secret-key');
  if (existsSync(file)) return readFileSync(file, 'utf8').trim();
  const key = random.bytes(32).toString('base64');
  writeFileSync(file, `${key}\n`, { mode: 0o600, flag: 'wx' });
  return key;
}
