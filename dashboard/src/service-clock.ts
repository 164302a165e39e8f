// The time of the service, from the Date of its responses: the clock of the browser may be days off.
import { useSyncExternalStore } from 'react';

const minute = 60_000;
let offset = 0;

export function reportServiceTime(date: string | null): void {
  const time = Date.parse(date ?? '');
  if (!Number.isNaN(time)) offset = time - Date.now();
}

export function serviceNow(): number {
  return Date.now() + offset;
}

/** The last full minute: what shows how long ago something was is shown anew with each. */
export function useServiceMinute(): number {
  return useSyncExternalStore(everyMinute, () => Math.floor(serviceNow() / minute) * minute);
}

function everyMinute(listener: () => void) {
  const timer = setInterval(listener, minute);
  return () => clearInterval(timer);
}
