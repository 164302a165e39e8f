// Fits a user of an export to what Foyer stores: what it cannot store is left out and named, so that no user is lost for it.
import { createHash } from 'node:crypto';
import { EmailInput, errorMap, ImportUser, NameInput } from '@foyer/contract';
import { checkClaims } from '../../admin-users/claims-rules.js';
import { emailOf, isSubject } from '../../identities/id-token-rules.js';
import { isBuiltIn } from '../../identities/provider.js';
import { ulidText } from '../../lib/crypto/ulid-bytes.js';
import type { Fields } from '../../lib/json-rules.js';
import { isStorable } from '../../lib/storable.js';
import { fittingName, fittingPhoto } from '../../v1/import/fit-line.js';
import type { ExportedIdentity, ExportedUser } from './exported-user.js';

export type FittedIdentity = ExportedIdentity & { subject: string };

export type FittedUser = Omit<ExportedUser, 'email' | 'createdAt' | 'identities' | 'hasPhone' | 'refusal'> & {
  uid: string;
  email: string;
  createdAt: Date;
  identities: FittedIdentity[];
};

/** Where the uids of an import come from. */
export type Origin = { appId: string; service: string; now: Date };

/** Returns the reason if the user cannot be imported. */
export function fitUser(user: ExportedUser, origin: Origin): FittedUser | string {
  const { refusal, email: written, hasPhone, ...kept } = user;
  if (refusal) return refusal;
  if (written === null) return hasPhone ? 'has a phone number and no email' : 'has no email';
  const email = EmailInput.safeParse(written, { error: errorMap });
  if (!email.success) return `the email ${email.error.issues[0]?.message}`;

  const leftOut = new Set(user.leftOut);
  const leaveOut = (words: string) => void leftOut.add(words);
  const created = user.createdAt && user.createdAt <= origin.now ? user.createdAt : null;
  if (!created) leaveOut('time of creation');
  if (hasPhone) leaveOut('phone number');
  const fitted = {
    ...kept,
    uid: user.own && user.id !== null ? user.id : uidOf(origin, user.id ?? email.data, created),
    email: email.data,
    firstName: fitName(user.firstName, leaveOut),
    lastName: fitName(user.lastName, leaveOut),
    photoUrl: user.photoUrl && fittingPhoto(user.photoUrl, () => leaveOut('photo')),
    createdAt: created ?? origin.now,
    lastSignInAt: user.lastSignInAt && user.lastSignInAt <= origin.now ? user.lastSignInAt : null,
    claims: fitClaims(user.claims, leaveOut),
    identities: user.identities
      .filter((identity) => isIdentity(identity, leaveOut))
      .map((identity) => fitIdentity(identity, origin.now)),
  };
  return { ...fitted, leftOut: [...leftOut] };
}

/**
 * The same user of the same export has the same uid in every run, so that none is imported twice, whatever became of its
 * email. A user without a time of creation has the time zero in the uid.
 */
export function uidOf({ appId, service }: Origin, id: string, createdAt: Date | null): string {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(createdAt?.getTime() ?? 0, 0, 6);
  createHash('sha256')
    .update(JSON.stringify([appId, service, id]))
    .digest()
    .copy(bytes, 6, 0, 10);
  return ulidText(bytes);
}

function fitName(name: string | null, leaveOut: (words: string) => void): string | null {
  return name && NameInput.parse(fittingName(name, 'name', () => leaveOut('part of a name')));
}

function fitClaims(claims: Fields, leaveOut: (words: string) => void): Fields {
  const verdict = checkClaims(claims);
  if (typeof verdict === 'object') {
    leaveOut('claims with reserved names');
    const kept = Object.entries(claims).filter(([name]) => !verdict.reserved.includes(name));
    return fitClaims(Object.fromEntries(kept), leaveOut);
  }
  const fit = verdict === 'fit' && ImportUser.shape.claims.safeParse(claims).success;
  if (fit && isStorableJson(claims)) return claims;
  leaveOut(verdict === 'fit' ? 'claims that Foyer does not accept' : 'claims of more than 1,000 bytes');
  return {};
}

/** In the JSON text, such characters would be escaped. */
function isStorableJson(value: Fields): boolean {
  let storable = true;
  JSON.stringify(value, (key, inner: unknown) => {
    if (!isStorable(key) || (typeof inner === 'string' && !isStorable(inner))) storable = false;
    return inner;
  });
  return storable;
}

/** The email in the form of a sign-in with the identity, which would replace it. */
function fitIdentity(identity: FittedIdentity, now: Date): FittedIdentity {
  const { email, linkedAt } = identity;
  return { ...identity, email: emailOf({ email }), linkedAt: linkedAt && linkedAt <= now ? linkedAt : null };
}

function isIdentity(
  identity: ExportedIdentity,
  leaveOut: (words: string) => void,
): identity is FittedIdentity {
  const { provider, subject } = identity;
  if (isSubject(isBuiltIn(provider) ? subject : withoutIssuer(subject))) return true;
  leaveOut('identity without a valid subject');
  return false;
}

/** The subject of a provider of the settings is stored after its issuer: `subjectAt`. */
function withoutIssuer(subject: unknown): string | undefined {
  return typeof subject === 'string' ? /^[\x21-\x7e]{1,255} (.*)$/.exec(subject)?.[1] : undefined;
}
