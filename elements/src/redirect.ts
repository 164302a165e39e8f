// Leaving for a provider, and coming back to a page that shows the sign-in first and then the account.
import { type Client, completeRedirect, isFoyerError } from '@foyer/sdk';
import type { OwnSentences } from './sentences.js';

/** Until the account is shown. */
const failures = new WeakMap<Client, unknown>();

/** For the sign-in screen of a user who is signed in: the page replaces it, so that the account says what has failed. */
export async function completeForAccount(client: Client): Promise<unknown> {
  try {
    return await completeRedirect(client);
  } catch (error) {
    failures.set(client, error);
    throw error;
  }
}

/** The return of the user, or the failure that the sign-in screen has kept. */
export async function completeInAccount(client: Client): Promise<unknown> {
  const error = failures.get(client);
  if (!failures.delete(client)) return completeRedirect(client);
  throw error;
}

/** Users can do nothing about a page that is not among the redirect URIs; its developer reads why in the console. */
export async function leaveForProvider(leave: () => Promise<void>): Promise<void> {
  try {
    await leave();
  } catch (error) {
    if (isFoyerError(error, 'request/validation-failed'))
      console.error(error.message, JSON.stringify(error.fields));
    throw error;
  }
}

export const wrongRedirectUri: OwnSentences = { 'request/validation-failed': 'request/invalid-app-key' };
