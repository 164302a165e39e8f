// What the first page of a member shows, asked for while the scripts of the page still load: on a slow connection they take
// longer than the answers.
import { apiOf, consoleApi } from './api.ts';
import { readStats, shownDays } from './read-stats.ts';
import { rememberedApp } from './stored-session.ts';

const reads = new Map<string, Promise<unknown>>();
const freshMilliseconds = 60_000;

/** Begins the reads of the page at the address of the browser. */
export function readEarly(): void {
  // A page that is opened later must not show them.
  setTimeout(() => reads.clear(), freshMilliseconds);
  begin('me', () => consoleApi.console.me());
  const remembered = rememberedApp();
  const [, path = ''] = location.pathname.split('/dashboard');
  const [, appInPath, page] = /^\/apps\/([^/]+)\/?([^/]*)/.exec(path) ?? [];
  const appId = path.length <= 1 ? remembered?.id : appInPath;
  if (!appId) return;
  const app = begin(`app ${appId}`, () => consoleApi.console.getApp(appId));
  if (page && page !== 'overview') return;
  const days = shownDays(new URLSearchParams(location.search).get('days'));
  const knownKey = remembered?.id === appId ? remembered.app_key : undefined;
  begin(`stats ${appId} ${days}`, async () => readStats(apiOf(knownKey ?? (await app).app_key), days));
}

/** The answer of an early read, which serves once; reads now if there was none or it failed. */
export function earlyOr<T>(name: string, read: () => Promise<T>): Promise<T> {
  const early = reads.get(name) as Promise<T> | undefined;
  reads.delete(name);
  return early ? early.catch(read) : read();
}

function begin<T>(name: string, read: () => Promise<T>): Promise<T> {
  const reading = read();
  // Reported by the page that asks for it.
  reading.catch(() => {});
  reads.set(name, reading);
  return reading;
}
