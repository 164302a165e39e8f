// The page of the React tests: rendered on the server, hydrated in the browser, with a log of what each render showed.
import { StrictMode } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { type Client, collection, createClient } from '../src/index.js';
import { FoyerProvider, useAuthState, useClaims, useClient, usePages, useUser } from '../src/react/index.js';

export { collection, createClient };

export type AppClient = Client<{ role: 'editor' | 'reader' }>;
export interface Note {
  title: string;
}

/** The user and the titles of each render of the list. */
export const rendered: { uid: string; titles: string[] }[] = [];

export function Page({ client }: { client: Client }) {
  return (
    <StrictMode>
      <FoyerProvider client={client}>
        <Account />
      </FoyerProvider>
    </StrictMode>
  );
}

export function hydrate(client: Client): void {
  hydrateRoot(document.getElementById('root')!, <Page client={client} />);
}

function Account() {
  const state = useAuthState();
  const user = useUser();
  const role = useClaims<AppClient>()?.role;
  return (
    <>
      <p id="account">{[state.status, user?.email, role].join(' ')}</p>
      {state.status === 'signedIn' && <Notes uid={state.uid} />}
      {state.status === 'signedIn' && <Turns />}
    </>
  );
}

function Notes({ uid }: { uid: string }) {
  const client = useClient();
  const { items, error, isLoading, hasMore, loadMore, refresh } = usePages((page, options) =>
    collection<Note>(client, 'notes').query(options).orderBy('title').limit(2).startAfter(page.cursor),
  );
  const titles = items.map(({ fields }) => fields.title);
  rendered.push({ uid, titles });
  return (
    <>
      <p id="notes">{isLoading ? 'loading' : String(error ?? titles.join(' '))}</p>
      <button type="button" id="more" disabled={!hasMore} onClick={loadMore}>
        More
      </button>
      <button type="button" id="refresh" onClick={refresh}>
        Refresh
      </button>
    </>
  );
}

/** Answer the reads of `Turns` in order, which do not end when they are aborted. */
export const turns: ((title: string) => void)[] = [];

function Turns() {
  // Its pages have no cursor at all, which is the end of a list too.
  const { items, hasMore, refresh } = usePages<string>(
    () => new Promise((resolve) => turns.push((title) => resolve({ items: [title] } as never))),
  );
  return (
    <button type="button" id="turns" data-more={hasMore} onClick={refresh}>
      {items.join(' ')}
    </button>
  );
}
