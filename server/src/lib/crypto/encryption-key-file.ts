// The encryption key of an embedded installation: generated at the first start, readable by the owner of DATA_DIR only.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Random } from './random.js';

export function storedEncryptionKey(dataDir: string, random: Random): string {
  // The name that existing installations use.
  const file = join(dataDir, 'secret-key');
  if (existsSync(file)) return readFileSync(file, 'utf8').trim();
  const key = random.bytes(32).toString('base64');
  writeFileSync(file, `${key}\n`, { mode: 0o600, flag: 'wx' });
  return key;
}
