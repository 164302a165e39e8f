// Users as the app's backend sees and makes them, as the service's contract has them.
import type { ServerCode } from './errors.js';
import type { PageQuery, ProfilePatch, Provider, User } from './models.js';

/** A user of the app, with what the user never sees. */
export interface AdminUser extends User {
  /** A disabled user can neither sign in nor refresh. */
  disabled: boolean;
  has_password: boolean;
  /** The identity providers that are linked. */
  providers: Provider[];
  /** The custom claims: `claims` in access tokens from the next refresh on. */
  claims: Record<string, unknown>;
  /** The user in the loyalty programme. */
  member_id: string;
  points: number;
  updated_at: string;
  /** `null` before the first sign-in. */
  last_sign_in_at: string | null;
  /** The latest sign-in, refresh or use of v1; `null` before the first. */
  last_active_at: string | null;
  /** The latest use of v1, to the hour; `null` if never. */
  v1_last_used_at: string | null;
}

/** A user to import; a password can come along with none. */
export interface ImportUser extends ProfilePatch {
  email: string;
  /** False when absent. */
  email_verified?: boolean | undefined;
  /** False when absent. */
  disabled?: boolean | undefined;
  /** At most 1,000 bytes of JSON. */
  claims?: Record<string, unknown> | undefined;
  /** Unique in the app; ten random digits when absent. */
  member_id?: string | undefined;
}

/** A user to make. Without a password the user signs in with a mailed code or a provider. */
export interface NewUser extends ImportUser {
  /** At least 8 characters. */
  password?: string | undefined;
  /** The first entry of the loyalty ledger; none for 0. */
  points?: number | undefined;
}

/** The fields to change; `null` clears a field, an absent one stays as it is. */
export interface UserPatch extends ProfilePatch {
  /** Unverified from then on unless `email_verified` is given, too. */
  email?: string | undefined;
  /** Ends every session. */
  password?: string | undefined;
  email_verified?: boolean | undefined;
  /** True ends every session, and keeps the user out. */
  disabled?: boolean | undefined;
  member_id?: string | undefined;
}

/** What became of an import. */
export interface ImportReport {
  /** How many users were made. */
  created: number;
  /** Those that were not, by their place in the list; the others were. */
  failed: { index: number; code: ServerCode; message: string }[];
}

/** Filters; each narrows the others down. Times are ISO 8601 with a zone. */
export interface UserQuery extends Omit<PageQuery, 'limit'> {
  /** The beginning of the email, first or last name in any case, or a whole uid or member id. */
  q?: string | undefined;
  /** The whole email. */
  email?: string | undefined;
  disabled?: boolean | undefined;
  email_verified?: boolean | undefined;
  provider?: Provider | undefined;
  created_after?: string | undefined;
  created_before?: string | undefined;
  v1_used_after?: string | undefined;
  /** `-created_at`, the newest first, when absent. */
  order?: '-created_at' | 'created_at' | 'email' | '-email' | undefined;
  /** Users a page: 25 when absent, at most 500. */
  limit?: number | undefined;
}
