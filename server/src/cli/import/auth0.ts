// Auth0: the NDJSON of a users-exports job, the list that its bulk import reads, or the password export of its support.
import { namesOf } from '../../lib/full-name.js';
import type { Fields } from '../../lib/json-rules.js';
import { type ExportFormat, identitiesOf, passwordWords } from './exported-user.js';
import { isEmpty, isTrue, listOf, objectOf, textOf, timeOf } from './values.js';

/** A user of a database or passwordless connection has no account elsewhere. */
const ownProviders = ['auth0', 'email', 'sms', ''];

export const auth0: ExportFormat = {
  name: 'Auth0',
  csv: false,
  read(record) {
    const id = textOf(record.user_id) ?? idOfSupport(record);
    const linked = linkedOf(record, id);
    const { identities, leftOut } = identitiesOf(
      linked.filter(({ provider }) => !ownProviders.includes(provider)),
    );
    const hash = textOf(record.passwordHash) ?? textOf(record.password_hash);
    const custom = textOf(objectOf(record.custom_password_hash).algorithm);
    const full = namesOf(textOf(record.name));
    const factors = [record.multifactor, record.mfa_factors, record.guardian_authenticators];
    return {
      id,
      email: textOf(record.email),
      emailVerified: isTrue(record.email_verified),
      firstName: textOf(record.given_name) ?? full.firstName,
      lastName: textOf(record.family_name) ?? full.lastName,
      photoUrl: textOf(record.picture),
      createdAt: timeOf(record.created_at),
      lastSignInAt: timeOf(record.last_login),
      disabled: isTrue(record.blocked),
      claims: objectOf(record.app_metadata),
      identities,
      hasPhone: textOf(record.phone_number) !== null || linked.some(({ provider }) => provider === 'sms'),
      refusal: null,
      leftOut: [
        ...leftOut,
        ...(hash === null ? [] : [passwordWords(hash)]),
        ...(custom === null ? [] : [passwordWords('', providerLike(custom))]),
        ...(factors.some((list) => Array.isArray(list) && list.length > 0) ? ['second factor'] : []),
        ...(textOf(record.username) === null ? [] : ['username']),
        // Users can change it themselves, so that it must not become claims, which backends trust.
        ...(isEmpty(objectOf(record.user_metadata)) ? [] : ['user metadata']),
      ],
    };
  },
};

/** The export of the support has the id without its connection. */
function idOfSupport(record: Fields): string | null {
  const id = textOf(objectOf(record._id).$oid);
  return id === null ? null : `auth0|${id}`;
}

/** An export without the field `identities` has the first one in the id, such as `google-oauth2|1234`. */
function linkedOf(record: Fields, id: string | null) {
  const rows = listOf(record.identities);
  if (rows === null) {
    const at = id?.indexOf('|') ?? -1;
    const subject = id?.slice(at + 1);
    return [{ provider: id?.slice(0, Math.max(0, at)) ?? '', subject, email: null, linkedAt: null }];
  }
  return rows.map((row, place) => ({
    provider: textOf(row.provider) ?? '',
    subject: row.user_id,
    // The profile of the first is that of the user.
    email: textOf(objectOf(row.profileData).email) ?? (place === 0 ? textOf(record.email) : null),
    linkedAt: null,
  }));
}

function providerLike(algorithm: string): string {
  return /^[a-z0-9]{2,20}$/i.test(algorithm) ? algorithm : 'unknown';
}
