// The people behind user ids. The ids that a page shows are read together: one call for a page of rows.
import { type AdminUser, isSearchLongEnough, limits } from '@foyer/contract';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Api } from '../api.ts';
import { useApp } from '../current-app.tsx';
import { personName } from './person-name.ts';

export type Person = Pick<AdminUser, 'uid' | 'email' | 'first_name' | 'last_name'>;

const typingMilliseconds = 120;
const shownResults = 8;
const staleMilliseconds = 60_000;

const personKey = (appId: string, uid: string) => [appId, 'person', uid];

/** Null for a user who does not exist (any more). */
export function usePerson(uid: string | null) {
  const { app, api } = useApp();
  return useQuery({
    queryKey: personKey(app.id, uid ?? ''),
    queryFn: () => readPerson(api, uid ?? ''),
    enabled: uid !== null,
    staleTime: staleMilliseconds,
  });
}

/** Found as the list of users finds them; nobody for a text that is too short. */
export function usePeopleSearch(typed: string): { found: Person[]; isSearching: boolean; isAsked: boolean } {
  const { app, api } = useApp();
  const cache = useQueryClient();
  const text = typed.trim();
  const [asked] = useDebouncedValue(text, typingMilliseconds);
  const isAsked = isSearchLongEnough(text);
  const { data, isFetching } = useQuery({
    queryKey: [app.id, 'users', 'people', asked],
    queryFn: async ({ signal }) => {
      const { items } = await api.users.list({ q: asked, limit: shownResults }, { signal });
      // Whoever is chosen need not be read again.
      for (const person of items) cache.setQueryData(personKey(app.id, person.uid), person);
      return items;
    },
    enabled: isAsked && isSearchLongEnough(asked),
    placeholderData: keepPreviousData,
  });
  return {
    found: (isAsked && data) || [],
    isSearching: isAsked && (isFetching || text !== asked || !data),
    isAsked,
  };
}

/** The name, or the email of a person without one. */
export function personText(person: Omit<Person, 'uid'>): string {
  return personName(person) || person.email;
}

type Batch = { uids: string[]; people: Promise<Map<string, Person>> };

/** The ids that were asked for since the last call. */
const batches = new WeakMap<Api, Batch>();

async function readPerson(api: Api, uid: string): Promise<Person | null> {
  const batch = batches.get(api) ?? newBatch(api);
  batch.uids.push(uid);
  if (batch.uids.length === limits.listedUids) batches.delete(api);
  return (await batch.people).get(uid) ?? null;
}

function newBatch(api: Api): Batch {
  const uids: string[] = [];
  // The rows of a page ask in one task, after they are rendered.
  const asked = new Promise((resolve) => setTimeout(resolve));
  const people = asked.then(async () => {
    if (batches.get(api) === batch) batches.delete(api);
    const { items } = await api.users.list({ uids: uids.join(','), limit: limits.listedUids });
    return new Map(items.map((person) => [person.uid, person]));
  });
  const batch = { uids, people };
  batches.set(api, batch);
  return batch;
}
