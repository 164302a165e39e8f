// The member's session: its state, and the two requests for credentials that a call in progress can wait for.
import type { AuthState } from '@foyer/sdk';
import { useSyncExternalStore } from 'react';
import { client } from './client.ts';

/** `sign-in`: the session has ended. `recent-sign-in`: the call requires a recent sign-in. */
export type CredentialRequest = 'sign-in' | 'recent-sign-in';

type Open = { kind: CredentialRequest; settle(granted: boolean): void; granted: Promise<boolean> };

let open: Open | null = null;
const listeners = new Set<() => void>();

/** The email of the member who was signed in last on this page; null before. */
let lastMember: { uid: string; email: string | null } | null = null;

// The sign-in page, which is loaded first, may have started the session.
follow(client.auth.state);
client.auth.onStateChange(follow);

function follow(state: AuthState) {
  if (state.status === 'signedIn') {
    // Another member must neither see what this page has read nor send what it was about to send.
    if (lastMember && lastMember.uid !== state.uid) {
      answerCredentialRequest(false);
      // A new member is still to be shown recovery codes, on a page that shows nothing of the former one.
      if (location.pathname !== '/dashboard/invitation') {
        location.assign('/dashboard/');
        return;
      }
      lastMember = null;
    }
    lastMember = { uid: state.uid, email: state.user?.email ?? lastMember?.email ?? null };
    if (open?.kind === 'sign-in') answerCredentialRequest(true);
  } else if (state.status === 'signedOut' && state.reason && state.reason !== 'user') {
    void requestCredential('sign-in');
  }
}

/** Resolves with true once the member has given the credential, with false when they decline or have signed out. */
export function requestCredential(kind: CredentialRequest): Promise<boolean> {
  // A read that a sign-out cuts short must not ask over the sign-in page.
  if (!lastMember) return Promise.resolve(false);
  if (open?.kind === kind) return open.granted;
  // A sign-in is also a recent one.
  if (open?.kind === 'sign-in') return open.granted;
  const outer = open;
  let settle!: (granted: boolean) => void;
  const granted = new Promise<boolean>((resolve) => {
    settle = resolve;
  });
  open = { kind, settle, granted };
  if (outer) void granted.then(outer.settle);
  notify();
  return granted;
}

export function answerCredentialRequest(granted: boolean): void {
  const answered = open;
  open = null;
  answered?.settle(granted);
  notify();
}

export function isCredentialRequested(): boolean {
  return open !== null;
}

export function useCredentialRequest(): CredentialRequest | null {
  return useSyncExternalStore(subscribe, () => open?.kind ?? null);
}

export function lastSignedInMember() {
  return lastMember;
}

/**
 * Ends the session on purpose, or every session of the member: no request to sign in again follows. `remote` is false if
 * the service could not be reached.
 */
export async function signOut({ everywhere = false } = {}): Promise<{ remote: boolean }> {
  lastMember = null;
  return client.auth.signOut({ everywhere });
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function notify() {
  for (const listener of listeners) listener();
}
