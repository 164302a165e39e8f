// What runs in the browser: one client per page, which holds access tokens only.
'use client';
import { type Client, type ClientOptions, cookieSession, createClient } from '@foyer/sdk';

export type Connection = Pick<ClientOptions, 'baseUrl' | 'appKey'>;

let client: Client | undefined;

/** Call it in effects and event handlers: the server also renders the components of the browser, and has no user there. */
export function foyer(connection: Connection): Client {
  client ??= createClient({ ...connection, ...cookieSession() });
  return client;
}
