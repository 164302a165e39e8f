// Who added the entries of a ledger.
import type { AuditEntry, LedgerEntry } from '@foyer/contract';
import { expect, test } from 'vitest';
import { namesOf } from './ledger.ts';

const entry = (id: string, created_at: string) => ({ id, created_at }) as LedgerEntry;
const added = (id: string, by: Partial<AuditEntry>) => ({ details: { entry: id }, ...by }) as AuditEntry;

test('the names of a page are read from every page of the audit log of its period', async () => {
  const asked: object[] = [];
  const pages = [
    { items: [added('C', { actor: 'member:M', actor_name: 'Ada' })], next_cursor: 'next' },
    {
      items: [
        added('B', { actor: 'secret_key:K', actor_name: null }),
        added('A', { actor: 'member:N', actor_name: null }),
      ],
      next_cursor: null,
    },
  ];
  const read = async (query: object) => {
    asked.push(query);
    return pages[asked.length - 1] ?? { items: [], next_cursor: null };
  };
  const ledger = [entry('C', '2026-01-03T00:00:00.000000Z'), entry('A', '2026-01-02T00:00:00.000000Z')];
  const period = {
    created_after: '2026-01-01T23:59:00.000Z',
    created_before: '2026-01-03T00:01:00.000Z',
    limit: 100,
  };
  expect(Object.fromEntries(await namesOf(ledger, { read }))).toEqual({
    A: 'The team',
    B: 'A secret key',
    C: 'Ada',
  });
  expect(asked).toEqual([period, { ...period, cursor: 'next' }]);
});

test('an empty ledger reads nothing', async () => {
  const read = () => Promise.reject(new Error('was read'));
  expect(await namesOf([], { read })).toEqual(new Map());
});
