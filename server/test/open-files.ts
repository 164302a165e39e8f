// The files that this process has open, on Linux.
import { readdirSync, readlinkSync } from 'node:fs';

const descriptors = '/proc/self/fd';

export function openFiles(): string[] {
  return readdirSync(descriptors).flatMap((descriptor) => {
    try {
      return [readlinkSync(`${descriptors}/${descriptor}`)];
    } catch {
      // That of the folder itself, which is closed by now.
      return [];
    }
  });
}
