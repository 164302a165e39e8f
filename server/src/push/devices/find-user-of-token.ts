// Finds the user of a push device by its complete token, for the team: a token in the log of an app names nobody else.
import type { Query } from '@foyer/prisma';
import { hashToken } from './encrypted-tokens.js';
import { findUserOfHashes } from './store.js';
import { normalEndpoint } from './token-rules.js';

/** Returns null if no device with the token is linked to a user. The text may be a token of any provider. */
export async function findUserOfToken(query: Query, appId: string, text: string): Promise<string | null> {
  const spellings = new Set([text, text.toLowerCase(), normalEndpoint(text)]);
  return findUserOfHashes(query, appId, [...spellings].map(hashToken));
}
