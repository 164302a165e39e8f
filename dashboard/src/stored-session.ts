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
