// Clerk: the CSV of its dashboard, or the users of its Backend API as JSON, which alone have identities and metadata.
import type { Fields } from '../../lib/json-rules.js';
import { type ExportFormat, identitiesOf, passwordWords } from './exported-user.js';
import { isEmpty, isTrue, listOf, objectOf, textOf, timeOf } from './values.js';

export const clerk: ExportFormat = {
  name: 'Clerk',
  csv: true,
  read(record) {
    const { email, emailVerified, hasMore } = emailOf(record);
    const linked = (listOf(record.external_accounts) ?? []).filter(isVerified).map((account) => ({
      provider: textOf(account.provider) ?? '',
      subject: account.provider_user_id,
      email: textOf(account.email_address),
      linkedAt: timeOf(account.created_at),
    }));
    const { identities, leftOut } = identitiesOf(linked);
    const digest = textOf(record.password_digest);
    const kept = (key: string) => !isEmpty(objectOf(record[key]));
    const hasList = (key: string) => (listOf(record[key])?.length ?? 0) > 0;
    return {
      id: textOf(record.id),
      email,
      emailVerified,
      firstName: textOf(record.first_name),
      lastName: textOf(record.last_name),
      photoUrl: record.has_image === false ? null : textOf(record.image_url),
      createdAt: timeOf(record.created_at),
      lastSignInAt: timeOf(record.last_sign_in_at),
      disabled: isTrue(record.banned),
      claims: objectOf(record.public_metadata),
      identities,
      hasPhone: ['primary_phone_number', 'verified_phone_numbers', 'unverified_phone_numbers']
        .map((key) => textOf(record[key]))
        .concat(hasList('phone_numbers') ? ['listed'] : [])
        .some((phone) => phone !== null),
      refusal: null,
      leftOut: [
        ...leftOut,
        ...(digest === null ? [] : [passwordWords(digest, hasherOf(record))]),
        ...(digest === null && isTrue(record.password_enabled) ? ['password (not in the file)'] : []),
        ...(textOf(record.totp_secret) !== null || isTrue(record.totp_enabled) ? ['second factor'] : []),
        ...(textOf(record.username) === null ? [] : ['username']),
        ...(hasMore ? ['further email'] : []),
        ...(hasList('enterprise_accounts') || hasList('saml_accounts') ? ['identity of single sign-on'] : []),
        ...(hasList('passkeys') ? ['passkey'] : []),
        // Claims are in the user's token, which the user can read.
        ...(kept('private_metadata') ? ['private metadata'] : []),
        // Users can change it themselves, so that it must not become claims, which backends trust.
        ...(kept('unsafe_metadata') ? ['unsafe metadata'] : []),
      ],
    };
  },
};

type Email = { email: string; verified: boolean; id: unknown };

function emailOf(record: Fields) {
  const all = emailsOf(record);
  const wanted = textOf(record.primary_email_address)?.toLowerCase();
  const primary =
    all.find(({ email, id }) =>
      wanted === undefined ? id !== undefined && id === record.primary_email_address_id : email === wanted,
    ) ??
    all.find(({ verified }) => verified) ??
    all[0];
  return {
    email: primary?.email ?? null,
    emailVerified: primary?.verified ?? false,
    hasMore: all.some(({ email }) => email !== primary?.email),
  };
}

function emailsOf(record: Fields): Email[] {
  const written = (value: unknown, verified: boolean): Email[] =>
    (
      textOf(value)
        ?.toLowerCase()
        .split(/[|,;\s]+/) ?? []
    )
      .filter((email) => email !== '')
      .map((email) => ({ email, verified, id: undefined }));
  const listed = (listOf(record.email_addresses) ?? []).flatMap((each) => {
    const email = textOf(each.email_address)?.toLowerCase();
    return email === undefined ? [] : [{ email, verified: isVerified(each), id: each.id }];
  });
  return [
    ...written(record.verified_email_addresses, true),
    ...listed,
    // An address that appears in both lists is found in the first.
    ...written(record.primary_email_address, false),
    ...written(record.unverified_email_addresses, false),
  ];
}

function isVerified(each: Fields): boolean {
  return objectOf(each.verification).status === 'verified';
}

function hasherOf(record: Fields): string | undefined {
  const hasher = textOf(record.password_hasher);
  return hasher !== null && /^\w{2,30}$/.test(hasher) ? hasher : undefined;
}
