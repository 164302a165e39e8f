// The drafts of remote configs in the storage of the browser: they survive a reload, an expired session and the end of the tab,
// and the navigation shows that there is one.
import { useSyncExternalStore } from 'react';

const prefix = 'foyer.dashboard.config-draft';
const changed = 'foyer-config-draft';

/** One draft per member and app: another member on the same computer must not publish it. */
export function draftKey(uid: string, appId: string): string {
  return `${prefix}.${uid}.${appId}`;
}

/** Null without a draft. */
export function storedDraft(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** False if the browser has no room for it. */
export function storeDraft(key: string, draft: string | null): boolean {
  try {
    if (draft === null) localStorage.removeItem(key);
    else localStorage.setItem(key, draft);
    dispatchEvent(new Event(changed));
    return true;
  } catch {
    return false;
  }
}

export function useHasDraft(key: string): boolean {
  return useSyncExternalStore(onDraftChange, () => storedDraft(key) !== null);
}

/** Calls the listener when this tab or another one has changed a draft. */
function onDraftChange(listener: () => void): () => void {
  addEventListener(changed, listener);
  addEventListener('storage', listener);
  return () => {
    removeEventListener(changed, listener);
    removeEventListener('storage', listener);
  };
}
