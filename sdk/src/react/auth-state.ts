// Hooks for the state of the client: who is signed in.
import { useEffect, useState, useSyncExternalStore } from 'react';
import type { AuthState, Client } from '../api.js';
import { type ClaimsOf, payloadOf } from '../features/claims.js';
import type { User } from '../generated/models.js';
import { useClient } from './provider.js';

const loading: AuthState = { status: 'loading' };
const serverState = () => loading;

/**
 * Returns the client's state, and renders again when it changes, in another tab too. On the server and while the page
 * hydrates it is `loading`, so that both render the same.
 *
 * @example
 * const state = useAuthState();
 * if (state.status === 'loading') return <Spinner />;
 * return state.status === 'signedIn' ? <Home /> : <SignIn />;
 */
export function useAuthState(): AuthState {
  const { auth } = useClient();
  return useSyncExternalStore(auth.onStateChange, () => auth.state, serverState);
}

/** The state while somebody is signed in. */
function useSignedIn() {
  const state = useAuthState();
  return state.status === 'signedIn' ? state : undefined;
}

/**
 * Returns the signed-in user; null when signed out, and after a page load until the user has arrived, which this hook
 * requests. `useAuthState` distinguishes these.
 */
export function useUser(): User | null {
  const { auth } = useClient();
  const state = useSignedIn();
  const missing = state?.online && !state.user && state.uid;
  useEffect(() => {
    // The token comes with the user. A failure is an event of the client; when the service is back, the effect runs again.
    if (missing) auth.getAccessToken().catch(() => {});
  }, [auth, missing]);
  return state?.user ?? null;
}

/**
 * Returns the custom claims of the signed-in user, read as by `claims(client)` at the sign-in and after a page load; null
 * until they are known. `useClaims<typeof client>()` has the type given to `createClient`.
 */
export function useClaims<C extends Client = Client>(): ClaimsOf<C> | null {
  const { auth } = useClient();
  const state = useSignedIn();
  const reader = state?.online && state.uid;
  const [payload, setPayload] = useState<ReturnType<typeof payloadOf<C>>>();
  useEffect(() => {
    const unmount = new AbortController();
    const read = async () => setPayload(payloadOf<C>(await auth.getAccessToken(unmount)));
    // Errors are ignored, as in `useUser`.
    if (reader) read().catch(() => {});
    return () => unmount.abort();
  }, [auth, reader]);
  return payload && payload.sub === state?.uid ? payload.claims : null;
}
