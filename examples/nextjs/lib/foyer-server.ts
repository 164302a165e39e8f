// What runs on the server: the sessions in cookies, and a client for each request.
import { type CookieSessions, createCookieSessions, createServerClient } from '@foyer/sdk/server';
import { headers } from 'next/headers';

export const connection = () => ({
  baseUrl: process.env.FOYER_BASE_URL ?? 'http://localhost:3000/api/v2',
  appKey: process.env.FOYER_APP_KEY ?? '',
});

// Next.js loads this module once for proxy.ts and once more for the pages: one object per process serves both.
const shared = globalThis as { foyerSessions?: CookieSessions };

export function sessions(): CookieSessions {
  shared.foyerSessions ??= createCookieSessions({
    ...connection(),
    origin: process.env.APP_ORIGIN ?? 'http://localhost:3100',
  });
  return shared.foyerSessions;
}

/** The client of the request's user; null when signed out. */
export async function serverClient() {
  // Reads the request first: this makes Next.js render the page for each request.
  const requestHeaders = await headers();
  const session = sessions().read(requestHeaders);
  return session && createServerClient({ ...connection(), accessToken: session.accessToken });
}
