// The client of the app, and the configuration that Vite gives it.
import { createClient } from '@foyer/sdk';

const { VITE_FOYER_BASE_URL, VITE_FOYER_APP_KEY } = import.meta.env;

export const client = createClient({
  baseUrl: VITE_FOYER_BASE_URL ?? 'http://localhost:3000/api/v2',
  appKey: VITE_FOYER_APP_KEY ?? '',
});
