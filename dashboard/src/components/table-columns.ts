// Which columns of a table a member has chosen, kept in this browser.
import { useState } from 'react';

const keyOf = (table: string) => `foyer.dashboard.columns.${table}`;

type Titled = { title: string; isExtra?: boolean };

export function useShownColumns<Column extends Titled>(table: string, columns: readonly Column[]) {
  const [chosen, setChosen] = useState(() => stored(table));
  const isShown = ({ title, isExtra = false }: Titled) => chosen[title] ?? !isExtra;
  return {
    shown: columns.filter(isShown),
    isShown,
    toggle(column: Titled) {
      const next = { ...chosen, [column.title]: !isShown(column) };
      setChosen(next);
      try {
        localStorage.setItem(keyOf(table), JSON.stringify(next));
      } catch {
        // The choice ends with the page when there is no storage.
      }
    },
  };
}

function stored(table: string): Record<string, boolean> {
  try {
    const read: unknown = JSON.parse(localStorage.getItem(keyOf(table)) ?? '{}');
    return typeof read === 'object' && read !== null ? (read as Record<string, boolean>) : {};
  } catch {
    return {};
  }
}
