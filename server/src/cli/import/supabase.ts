// Supabase Auth: rows of `auth.users` as CSV or JSON, with those of `auth.identities` and `auth.mfa_factors` if the query of
// README.md joined them; or the users of its admin API.
import { namesOf } from '../../lib/full-name.js';
import type { Fields } from '../../lib/json-rules.js';
import { type ExportFormat, identitiesOf, passwordWords, providerWords } from './exported-user.js';
import { isTrue, listOf, objectOf, textOf, timeOf } from './values.js';

/** What Supabase copies from providers into the metadata of a user. */
const copiedKeys = [
  ...['iss', 'sub', 'aud', 'provider_id', 'email', 'email_verified', 'phone', 'phone_verified'],
  ...['name', 'full_name', 'first_name', 'last_name', 'given_name', 'family_name', 'user_name'],
  ...['preferred_username', 'picture', 'avatar_url', 'custom_claims'],
];

const isOwn = (provider: string) => provider === 'email' || provider === 'phone';

export const supabase: ExportFormat = {
  name: 'Supabase',
  csv: true,
  read(record, now) {
    const { provider, providers, ...claims } = objectOf(record.raw_app_meta_data ?? record.app_metadata);
    const about = objectOf(record.raw_user_meta_data ?? record.user_metadata);
    const { identities, leftOut } = linkedOf(record, Array.isArray(providers) ? providers : [provider]);
    const hash = textOf(record.encrypted_password);
    const factors = listOf(record.factors)?.some(({ status }) => status === 'verified');
    const full = namesOf(textOf(about.full_name) ?? textOf(about.name) ?? textOf(about.display_name));
    return {
      id: textOf(record.id),
      email: textOf(record.email),
      emailVerified: timeOf(record.email_confirmed_at) !== null,
      firstName: textOf(about.first_name) ?? textOf(about.given_name) ?? full.firstName,
      lastName: textOf(about.last_name) ?? textOf(about.family_name) ?? full.lastName,
      photoUrl: textOf(about.avatar_url) ?? textOf(about.picture),
      createdAt: timeOf(record.created_at),
      lastSignInAt: timeOf(record.last_sign_in_at),
      disabled: isBanned(record, now),
      claims,
      identities,
      hasPhone: textOf(record.phone) !== null,
      refusal: isTrue(record.is_anonymous)
        ? 'is anonymous'
        : textOf(record.deleted_at) !== null
          ? 'is deleted'
          : null,
      leftOut: [
        ...leftOut,
        ...(hash === null ? [] : [passwordWords(hash)]),
        ...(factors ? ['second factor'] : []),
        // Users can change it themselves, so that it must not become claims, which backends trust.
        ...(Object.keys(about).some((key) => !copiedKeys.includes(key)) ? ['user metadata'] : []),
      ],
    };
  },
};

/** A time that cannot be read, such as `infinity`, is no reason to let the user in. */
function isBanned({ banned_until: until }: Fields, now: Date): boolean {
  const end = timeOf(until);
  return end === null ? textOf(until) !== null : end > now;
}

/** The subjects of a user's own metadata are not used: the user could write another person's there. */
function linkedOf(record: Fields, providers: unknown[]) {
  const rows = listOf(record.identities);
  if (rows === null) {
    const names = providers.filter((name): name is string => typeof name === 'string' && !isOwn(name));
    return {
      identities: [],
      leftOut: names.map((name) => `identity of ${providerWords(name)} (not in the file)`),
    };
  }
  const linked = rows.map((row) => {
    const data = objectOf(row.identity_data);
    return {
      provider: textOf(row.provider) ?? '',
      subject: row.provider_id ?? data.sub,
      email: textOf(data.email),
      linkedAt: timeOf(row.created_at),
    };
  });
  return identitiesOf(linked.filter(({ provider }) => !isOwn(provider)));
}
