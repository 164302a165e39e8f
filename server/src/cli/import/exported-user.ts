// A user as a reader found it in another service's export, before it is fitted to what Foyer stores.
import type { ProviderName } from '../../deps.js';
import type { Fields } from '../../lib/json-rules.js';

export type ExportedIdentity = {
  provider: string;
  subject: unknown;
  email: string | null;
  linkedAt: Date | null;
};

export type ExportedUser = {
  /** The id in the other service. */
  id: string | null;
  email: string | null;
  emailVerified: boolean;
  firstName: string | null;
  lastName: string | null;
  photoUrl: string | null;
  createdAt: Date | null;
  lastSignInAt: Date | null;
  disabled: boolean;
  claims: Fields;
  identities: ExportedIdentity[];
  hasPhone: boolean;
  /** A kind of user that Foyer does not have. */
  refusal: 'is anonymous' | 'is deleted' | 'is not a line of foyer export users' | null;
  /** What cannot come over, each in the same words for every user, because the summary counts them. */
  leftOut: string[];
  own?: OwnFields;
};

/** What only an export of Foyer has. */
export type OwnFields = {
  emailProven: boolean;
  memberId: string;
  language: string | null;
  /** Null without a password, and in an export without hashes. */
  passwordHash: string | null;
  passwordFromV1: boolean;
  points: number;
  ledger: { id: string; points: number; description: string; reference: string | null; createdAt: Date }[];
};

/** How the export of a service is read. */
export type ExportFormat = {
  /** The name of the service, in sentences. */
  name: string;
  csv: boolean;
  /** The key of the list, if the export is one JSON object with a list of users. */
  listKey?: string;
  read(record: Fields, now: Date): ExportedUser;
};

/** Providers A and B under the names of other services. */
const providersByName: Record<string, ProviderName> = {
  google: 'provider-a',
  'google.com': 'provider-a',
  'google-oauth2': 'provider-a',
  oauth_google: 'provider-a',
  apple: 'provider-b',
  'apple.com': 'provider-b',
  oauth_apple: 'provider-b',
};

/** Separates the identities of Google and Apple from those that cannot come over. */
export function identitiesOf(all: ExportedIdentity[]): { identities: ExportedIdentity[]; leftOut: string[] } {
  const identities: ExportedIdentity[] = [];
  const leftOut: string[] = [];
  for (const identity of all) {
    const provider = Object.hasOwn(providersByName, identity.provider)
      ? providersByName[identity.provider]
      : undefined;
    if (provider) identities.push({ ...identity, provider });
    else leftOut.push(`identity of ${providerWords(identity.provider)}`);
  }
  return { identities, leftOut };
}

/** Names of providers are printed, so that only those in the usual form are. */
export function providerWords(name: string): string {
  if (/^(sso|saml|enterprise)\b/.test(name)) return 'single sign-on';
  return /^[a-z0-9][\w.-]{0,50}$/i.test(name) ? name : 'another provider';
}

/** A hash is named, never imported: see README.md. */
export function passwordWords(hash: string, known?: string): string {
  return `password hash (${known ?? hashKind(hash)})`;
}

function hashKind(hash: string): string {
  if (/^\$2[abxy]?\$/.test(hash)) return 'bcrypt';
  const [, name] = /^\$(argon2(?:id|i|d)|fbscrypt|scrypt|pbkdf2)/.exec(hash) ?? [];
  return name ?? 'unknown';
}
