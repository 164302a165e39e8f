// The draft in the storage of the browser tab: it survives a reload and an expired session, and ends with the tab.
import type { Draft } from './draft.ts';

const prefix = 'foyer.dashboard.config-draft';

/** One draft per member and app: another member on the same computer must not publish it. */
export function draftKey(uid: string, appId: string): string {
  return `${prefix}.${uid}.${appId}`;
}

export function loadDraft(key: string): Draft | null {
  try {
    const draft = JSON.parse(sessionStorage.getItem(key) ?? 'null') as Draft | null;
    return draft && Array.isArray(draft.changes) && draft.changes.length > 0 ? draft : null;
  } catch {
    return null;
  }
}

/** False if the browser has no room for it. */
export function saveDraft(key: string, draft: Draft | null): boolean {
  try {
    if (draft === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify(draft));
    return true;
  } catch {
    return false;
  }
}
