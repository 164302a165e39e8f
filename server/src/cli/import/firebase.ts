// Firebase Authentication: the JSON of `firebase auth:export`.
import { namesOf } from '../../lib/full-name.js';
import { isObject, jsonIn } from '../../lib/json-rules.js';
import { type ExportFormat, identitiesOf, passwordWords } from './exported-user.js';
import { isTrue, listOf, textOf, timeOf } from './values.js';

export const firebase: ExportFormat = {
  name: 'Firebase',
  csv: false,
  listKey: 'users',
  read(record) {
    const linked = (listOf(record.providerUserInfo) ?? [])
      .map((info) => ({
        provider: textOf(info.providerId) ?? '',
        subject: info.rawId,
        email: textOf(info.email),
        linkedAt: null,
      }))
      .filter(({ provider }) => !['password', 'phone', ''].includes(provider));
    const { identities, leftOut } = identitiesOf(linked);
    const claims = claimsOf(record.customAttributes);
    const email = textOf(record.email);
    const hasPhone = textOf(record.phoneNumber) !== null;
    const hash = textOf(record.passwordHash);
    return {
      id: textOf(record.localId),
      email,
      emailVerified: isTrue(record.emailVerified),
      ...namesOf(textOf(record.displayName)),
      photoUrl: textOf(record.photoUrl),
      createdAt: timeOf(record.createdAt),
      lastSignInAt: timeOf(record.lastSignedInAt),
      disabled: isTrue(record.disabled),
      claims: claims ?? {},
      identities,
      hasPhone,
      refusal: email === null && !hasPhone && linked.length === 0 ? 'is anonymous' : null,
      leftOut: [
        ...leftOut,
        ...(hash === null ? [] : [passwordWords(hash, 'Firebase scrypt')]),
        ...(listOf(record.mfaInfo)?.length ? ['second factor'] : []),
        ...(claims === null ? ['claims that are not a JSON object'] : []),
      ],
    };
  },
};

function claimsOf(attributes: unknown) {
  const text = textOf(attributes);
  if (text === null) return {};
  const claims = jsonIn(text);
  return isObject(claims) ? claims : null;
}
