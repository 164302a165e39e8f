import { useAuthState, useUser } from '@foyer/sdk/react';
import { useState } from 'react';
import { Account } from './account';
import { RecoveryCodes } from './authenticator-app';
import { client } from './foyer';
import { Notes } from './notes';
import { SignIn } from './sign-in';

const pages = { Notes, Account };
type PageName = keyof typeof pages;

export function App() {
  const state = useAuthState();
  // Of an enrolment that the sign-in has required: its screen is gone once the user is signed in.
  const [codes, setCodes] = useState<readonly string[]>([]);
  if (state.status === 'loading') return null;
  if (state.status === 'signedIn' && codes.length > 0) {
    return (
      <main className="narrow">
        <RecoveryCodes codes={codes} onDone={() => setCodes([])} />
      </main>
    );
  }
  // The key discards what the components hold when another user signs in.
  return state.status === 'signedIn' ? (
    <Home key={state.uid} isOnline={state.online} />
  ) : (
    <SignIn
      notice={state.reason === 'revoked' ? 'Your session has ended. Please sign in again.' : ''}
      onRecoveryCodes={setCodes}
    />
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
