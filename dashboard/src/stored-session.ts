// What the browser has stored of the last visit, read before the scripts that use it: a guess that only decides what is
// loaded first.
import { pageConfig } from './page-config.ts';

/** The SDK stores the session below this key. */
export function hasStoredSession(): boolean {
  try {
    return localStorage.getItem(`foyer.${pageConfig.app_key}`) !== null;
  } catch {
    return false;
  }
}

const lastAppKey = 'foyer.dashboard.last-app';

export type StoredApp = { id: string; app_key?: string | undefined };

export function rememberApp({ id, app_key }: StoredApp): void {
  try {
    localStorage.setItem(lastAppKey, `${id} ${app_key}`);
  } catch {
    // The dashboard starts with the list of apps when there is no storage.
  }
}

/** The app that was opened last; null if it is unknown here. */
export function rememberedApp(): StoredApp | null {
  try {
    const [id, app_key] = localStorage.getItem(lastAppKey)?.split(' ') ?? [];
    return id ? { id, app_key } : null;
  } catch {
    return null;
  }
}
