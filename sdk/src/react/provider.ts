// Gives the hooks below it a client.
import { createContext, createElement, type ReactElement, type ReactNode, useContext } from 'react';
import type { Client } from '../api.js';

export interface FoyerProviderProps {
  /** The client, created once and outside of components. */
  client: Client;
  /** The components that use its hooks. */
  children?: ReactNode;
}

const Context = createContext<Client | null>(null);

/**
 * Gives the hooks of all components below it a client.
 *
 * @example
 * const client = createClient({ baseUrl, appKey });
 * createRoot(element).render(<FoyerProvider client={client}><App /></FoyerProvider>);
 */
export function FoyerProvider({ client, children }: FoyerProviderProps): ReactElement {
  return createElement(Context.Provider, { value: client }, children);
}

/** Returns the client of the nearest `FoyerProvider`; throws without one. `useClient<typeof client>()` has its claims. */
export function useClient<C extends Client = Client>(): C {
  const client = useContext(Context);
  if (client) return client as C;
  throw new Error('This component has no <FoyerProvider> above it.');
}
