import { Account, SignIn } from '@foyer/elements/react';
import { useAuthState, useUser } from '@foyer/sdk/react';
import { useState } from 'react';
import { client } from './foyer';
import { idToken } from './id-tokens';
import { Notes } from './notes';

const pages = { Notes, Account: () => <Account client={client} /> };
type PageName = keyof typeof pages;

export function App() {
  const state = useAuthState();
  // With a session the user may still have something to do in the sign-in screen, such as to store recovery codes.
  const [isDone, setDone] = useState(false);
  if (state.status === 'loading') return null;
  if (state.status === 'signedOut' && isDone) setDone(false);
  // The key discards what the components hold when another user signs in.
  if (state.status === 'signedIn' && isDone) return <Home key={state.uid} isOnline={state.online} />;
  return (
    <main className="narrow">
      <h1>Notes</h1>
      {state.status === 'signedOut' && state.reason === 'revoked' && (
        <p role="status">Your session has ended. Please sign in again.</p>
      )}
      <SignIn client={client} idToken={idToken} onSignedIn={() => setDone(true)} />
    </main>
  );
}

function Home({ isOnline }: { isOnline: boolean }) {
  const user = useUser();
  const [name, setName] = useState<PageName>('Notes');
  const Page = pages[name];
  return (
    <>
      <header>
        <nav aria-label="Pages">
          {(Object.keys(pages) as PageName[]).map((each) => (
            <button
              key={each}
              type="button"
              className="tab"
              aria-current={each === name ? 'page' : undefined}
              onClick={() => setName(each)}
            >
              {each}
            </button>
          ))}
        </nav>
        <span className="email">{user?.email}</span>
        <button type="button" onClick={() => client.auth.signOut()}>
          Sign out
        </button>
      </header>
      {!isOnline && (
        <p role="status" className="notice">
          You are offline. You remain signed in.
        </p>
      )}
      <main>
        <h1>{name}</h1>
        <Page />
      </main>
    </>
  );
}
