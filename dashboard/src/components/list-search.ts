// The search of the list that a page was opened from, in the state of the history: it survives a reload, and is not part of
// a link that is passed on.
import { useLocation } from '@tanstack/react-router';

declare module '@tanstack/react-router' {
  interface HistoryState {
    listSearch?: object | undefined;
  }
}

/** The search of a link back to the list, whose route ignores what it does not know. */
export function useListSearch(): object {
  return useLocation({ select: ({ state }) => state.listSearch }) ?? {};
}
