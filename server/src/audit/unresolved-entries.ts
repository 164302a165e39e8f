// Entries that name an email, whose account is not looked up yet. Bounded in total, and per email, so that a flood on one
// email does not displace the entries of others.
import type { BufferedEntry } from '../deps.js';

export type UnresolvedEntry = { entry: BufferedEntry; network: string; now: Date };

const maxEntries = 10_000;
const maxPerEmail = 100;

export function unresolvedEntries() {
  let entries: UnresolvedEntry[] = [];
  const perEmail = new Map<string, number>();
  return {
    get size() {
      return entries.length;
    },
    /** False if there is no room. */
    add(added: UnresolvedEntry): boolean {
      const key = emailKey(added.entry);
      const sameEmail = perEmail.get(key) ?? 0;
      if (entries.length >= maxEntries || sameEmail >= maxPerEmail) return false;
      perEmail.set(key, sameEmail + 1);
      entries.push(added);
      return true;
    },
    /** The oldest entries, which stay until they are removed. */
    oldest: (maxEntries: number) => entries.slice(0, maxEntries),
    removeOldest(count: number): void {
      for (const { entry } of entries.slice(0, count)) {
        const key = emailKey(entry);
        const left = (perEmail.get(key) ?? 1) - 1;
        if (left === 0) perEmail.delete(key);
        else perEmail.set(key, left);
      }
      entries = entries.slice(count);
    },
  };
}

export function emailKey({ appId, email = '' }: { appId: string; email?: string }): string {
  return `${appId} ${email}`;
}
