// `@foyer/sdk/server`: for the app's own backend. A client per request, and the sessions of browsers in cookies.
export type {
  CookieSessions,
  CookieSessionsOptions,
  HeaderGetter,
  RenewedHeaders,
  RequestSession,
} from './cookie-sessions.js';
export { createCookieSessions } from './cookie-sessions.js';
export type { NodeHandler, NodeHandlers, NodeRequest, NodeResponse } from './node-handlers.js';
export { nodeHandlers } from './node-handlers.js';
export type { ServerClient, ServerClientOptions } from './server-client.js';
export { createServerClient } from './server-client.js';
