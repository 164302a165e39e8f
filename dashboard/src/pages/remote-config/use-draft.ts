// The draft of the open page: follows the newest version while it is empty, is stored shortly after each change, and takes over
// what another tab stores.
import { useEffect, useMemo, useRef, useState } from 'react';
import { confirmAction } from '../../components/confirm.tsx';
import { draftKey, storeDraft, storedDraft } from '../../config-draft.ts';
import { useApp } from '../../current-app.tsx';
import { useMe } from '../../member.ts';
import type { StoredConfig } from './config-query.ts';
import { type Change, type Draft, draftIn, hasEffect, withChange } from './draft.ts';
import { reapplied } from './reapply.ts';

const saveMilliseconds = 250;
const none: Change[] = [];

export type DraftState = {
  changes: Change[];
  /** The changes that would have an effect if they were published. */
  effective: Change[];
  /** The number of the version that the changes were made to. */
  version: number;
  /** True if a newer version was published since the draft was begun. */
  outdated: boolean;
  /** False if the draft is too large for the storage of the browser. */
  stored: boolean;
  change: (change: Change) => void;
  /** Adds several changes at once. */
  add: (changes: Change[]) => void;
  undo: (id: string) => void;
  /** Makes the same changes to the newest version. */
  reapply: () => void;
  /** Removes changes that are published; what was edited meanwhile stays. */
  remove: (published: Change[]) => void;
  discard: () => void;
};

export function useDraft({ config, etag }: StoredConfig): DraftState {
  const { app } = useApp();
  const key = draftKey(useMe().user.uid, app.id);
  const [draft, setDraft] = useState<Draft | null>(() => draftIn(storedDraft(key)));
  const stored = useStoredDraft(key, draft);
  useEffect(() => {
    const follow = (event: StorageEvent) => {
      if (event.key === key) setDraft(draftIn(event.newValue));
    };
    addEventListener('storage', follow);
    return () => removeEventListener('storage', follow);
  }, [key]);
  const newest = { etag, version: config.version };

  const set = (update: (changes: Change[]) => Change[]) =>
    setDraft((before) => {
      const { changes, ...base } = before ?? { ...newest, changes: [] };
      return draftWith(base, update(changes));
    });

  const changes = draft?.changes ?? none;
  const effective = useMemo(() => changes.filter(hasEffect), [changes]);
  return {
    changes,
    effective,
    version: draft?.version ?? config.version,
    outdated: effective.length > 0 && draft?.etag !== etag,
    stored,
    change: (change) => set((changes) => withChange(changes, change)),
    add: (added) => set((changes) => added.reduce(withChange, changes)),
    undo: (id) => set((changes) => changes.filter((change) => change.id !== id)),
    reapply: () => setDraft(draftWith(newest, reapplied(effective, config.parameters))),
    remove: (published) =>
      set((changes) => changes.filter((change) => hasEffect(change) && !published.includes(change))),
    discard: () => setDraft(null),
  };
}

export function confirmDiscard({ effective: { length }, discard }: DraftState): void {
  confirmAction({
    title: 'Discard the draft?',
    body: `The changes to ${length === 1 ? 'one parameter' : `${length} parameters`} are lost. The published values do not change.`,
    confirmLabel: 'Discard draft',
    run: async () => discard(),
  });
}

function draftWith(base: Omit<Draft, 'changes'>, changes: Change[]): Draft | null {
  return changes.length === 0 ? null : { ...base, changes };
}

const textOf = (draft: Draft | null) => draft && JSON.stringify(draft);

function useStoredDraft(key: string, draft: Draft | null): boolean {
  const [stored, setStored] = useState(true);
  const latest = useRef(draft);
  useEffect(() => {
    latest.current = draft;
    const timer = setTimeout(() => setStored(storeDraft(key, textOf(draft))), saveMilliseconds);
    return () => clearTimeout(timer);
  }, [key, draft]);
  useEffect(() => {
    const save = () => void storeDraft(key, textOf(latest.current));
    addEventListener('pagehide', save);
    return () => {
      removeEventListener('pagehide', save);
      save();
    };
  }, [key]);
  return stored;
}
