// The SDK's client for the team member's own session, which is a session of the app `console`.
import { createClient } from '@foyer/sdk';
import { pageConfig } from './page-config.ts';

/** The API at the dashboard's own origin: the content security policy allows no other. */
export const apiUrl = `${location.origin}/api/v2`;

export const client = createClient({
  baseUrl: apiUrl,
  appKey: pageConfig.app_key,
  // The query cache decides what is repeated.
  maxRetries: 0,
});
