// A browser's tab in place of the globals of Node, which a page leaves for a provider and returns to.
import { vi } from 'vitest';

/** A tab: its address, its history entries and its storage. */
export function newTab() {
  const values = new Map<string, string>();
  const tab = {
    href: 'https://app.example.com/',
    origin: 'https://app.example.com',
    values,
    assign(url: string) {
      tab.href = url;
    },
  };
  vi.stubGlobal('location', tab);
  vi.stubGlobal('history', {
    state: { kept: true },
    replaceState: (_state: unknown, _title: string, url: string) => tab.assign(url),
  });
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
  });
  return tab;
}
