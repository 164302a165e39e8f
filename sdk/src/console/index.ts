// @foyer/sdk/console: the calls of the dashboard, as a signed-in team member: those of `/admin` with the member's session in
// place of the secret key, and the console's own. Used in this repository only; the published package has no such entry.
import { createTypedClient, type Perform } from '../admin/typed-client.js';
import type { PageList } from '../api.js';
import { type AdminCalls, adminCalls } from '../generated/admin-calls.js';
import { type ConsoleCalls, consoleCalls } from '../generated/console-calls.js';
import type { Page } from '../models.js';

export type ConsoleClient = InPages<AdminCalls & ConsoleCalls>;

/** The dashboard reads the pages of a list one by one. */
type InPages<Calls> = { readonly [Namespace in keyof Calls]: PageMethods<Calls[Namespace]> };
type PageMethods<Methods> = {
  [Name in keyof Methods]: Methods[Name] extends (...given: infer Given) => PageList<infer Item>
    ? (...given: Given) => Promise<Page<Item>>
    : Methods[Name];
};

/** Both tables; their namespaces have no method in common. */
const calls = {
  ...adminCalls,
  ...consoleCalls,
  settings: { ...adminCalls.settings, ...consoleCalls.settings },
};

/** The client whose requests are sent with `perform`. */
export function createConsole(perform: Perform): ConsoleClient {
  return createTypedClient<ConsoleClient>(calls, perform, (read, query = {}) => read(query));
}

export type { CallSpec, OnceOptions, Perform } from '../admin/typed-client.js';
export { type RequestInput, urlOf } from '../http/request-url.js';
