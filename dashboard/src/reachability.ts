// Whether the service can be reached. While it cannot, its health endpoint is asked every few seconds, so that pages
// recover without a reload.
import { useSyncExternalStore } from 'react';

const retryMilliseconds = 3_000;

let reachable = true;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

export function reportUnreachable(): void {
  set(false);
  timer ??= setTimeout(probe, retryMilliseconds);
}

export function reportReachable(): void {
  clearTimeout(timer);
  timer = undefined;
  set(true);
}

async function probe() {
  timer = undefined;
  if (await isUp()) reportReachable();
  else reportUnreachable();
}

/** Asks the service. */
export function isUp(): Promise<boolean> {
  return fetch('/readyz', { cache: 'no-store' }).then(
    (response) => response.ok,
    () => false,
  );
}

/** Calls `listener` after each change; returns the function that removes it. */
export function onReachabilityChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function isReachable(): boolean {
  return reachable;
}

export function useReachable(): boolean {
  return useSyncExternalStore(onReachabilityChange, isReachable);
}

function set(next: boolean) {
  if (reachable === next) return;
  reachable = next;
  for (const listener of listeners) listener();
}
