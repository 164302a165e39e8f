// The sign-in routes of the fake service: password, emailed code, providers, v1, refresh and sign-out.
import { payloadOf } from '../features/claims.js';
import { sha256 } from '../features/sha256.js';
import type { TokenAnswer } from '../generated/models.js';
import type { Route } from '../generated/routes.js';
import type { Provider } from '../models.js';
import { toBase64url } from './base64url.js';
import {
  type Answer,
  type Call,
  data,
  type FakeSession,
  forAnyone,
  forAnyUser,
  forUser,
  type Handlers,
  noContent,
  Refusal,
  type SignedInCall,
} from './fake-answer.js';
import type { FakeClock } from './fake-clock.js';
import {
  accept,
  code,
  email,
  nested,
  optional,
  password,
  profileFields,
  recoveryCode,
  requireStrongPassword,
  text,
} from './fake-input.js';
import { credential, type FakePasskeys } from './fake-passkeys.js';
import { codeProof, type FakeRedirects, type ProviderClaims } from './fake-redirects.js';
import type { FakeSecondFactor } from './fake-second-factor.js';
import type { FakeProvider, NewUser } from './fake-service-types.js';
import type { FakeFactorKind, FakeSessions } from './fake-sessions.js';
import type { FakeUser, FakeUsers } from './fake-users.js';

/** The claims of a fake ID token. */
export interface IdTokenClaims extends ProviderClaims {
  nonce: string;
}

type Proof = { id_token?: unknown; identity_token?: unknown; nonce?: unknown };

export const codeSent = (flow: string): Answer => data({ expires_in: 600 }, 200, { 'X-Code-Flow': flow });

export const flowOf = (call: Call) => call.header('x-code-flow');

const { first_name, last_name } = profileFields;
const names = { first_name, last_name };
/** The proof of each provider. */
export const proofA = { id_token: text(16_384), nonce: text(512) };
export const proofB = { identity_token: text(16_384), authorization_code: text(2_048), nonce: text(512) };

/** Of any provider by its id, for reauthentication. */
const anyProvider = (value: unknown) =>
  Object(value).code === undefined
    ? nested({ id: text(64), ...proofA })(value)
    : nested({ id: text(64), ...codeProof })(value);

interface Steps {
  passkeys: FakePasskeys;
  secondFactor: FakeSecondFactor;
  redirects: FakeRedirects;
  /** The providers of the settings, by id. */
  providers: Record<string, FakeProvider>;
}

const methods = { 'provider-a': 'provider_a', 'provider-b': 'provider_b' } as const;
const builtIn: readonly string[] = Object.keys(methods);
const methodOfProvider = (provider: Provider): FakeSession['method'] =>
  Object.hasOwn(methods, provider) ? methods[provider as keyof typeof methods] : 'provider';

export function signInHandlers(
  clock: FakeClock,
  users: FakeUsers,
  sessions: FakeSessions,
  { passkeys, secondFactor, redirects, providers }: Steps,
) {
  const deviceToken = () => ({ 'X-Device-Token': `dt_${clock.newId()}` });

  function signedIn(
    user: FakeUser,
    method: FakeSession['method'],
    { header }: Call,
    { status = 200, more = {}, signedInAtMs = clock.now() } = {},
  ): Answer {
    if (user.disabled) throw new Refusal('auth/user-disabled');
    const begin = (factor?: FakeFactorKind): TokenAnswer =>
      sessions.begin(user, method, header, { signedInAtMs, factor });
    // The device of a passkey has verified the user, which are both steps.
    if (method !== 'passkey') {
      secondFactor.require(user, (codes, factor) =>
        data({ ...begin(factor), ...more, ...codes }, 200, deviceToken()),
      );
    }
    return data({ ...begin(), ...more }, status, deviceToken());
  }

  /** The account of an ID token: by the provider's user id, then by verified email, otherwise a new one. */
  function accountOf(
    provider: Provider,
    claims: IdTokenClaims,
    given: Pick<NewUser, 'first_name' | 'last_name'> = {},
  ) {
    const owner = users.all().find(({ identities }) => identities.get(provider)?.subject === claims.sub);
    if (owner) return { user: owner, isNew: false };
    const isTrusted = builtIn.includes(provider) || providers[provider]?.trustsEmail === true;
    const isVerified = isTrusted && claims.email_verified;
    if (!isVerified && builtIn.includes(provider)) throw new Refusal('auth/email-required');
    const match = users.byEmail(claims.email);
    if (match && (!isVerified || !match.user.email_verified || match.identities.has(provider))) {
      throw new Refusal('auth/account-exists-with-different-credential');
    }
    const user = match ?? users.add({ email: claims.email, email_verified: isVerified });
    user.user.first_name ??= given.first_name ?? null;
    user.user.last_name ??= given.last_name ?? null;
    link(user, provider, claims);
    return { user, isNew: !match };
  }

  function providerIn({ params: { provider = '' } }: Call): Provider {
    if (builtIn.includes(provider) || Object.keys(providers).includes(provider)) return provider;
    throw new Refusal('auth/no-such-provider');
  }

  /** The claims of an ID token; GitHub issues none. */
  function claimsOf(provider: Provider, proof: Proof): IdTokenClaims {
    if (providers[provider]?.kind === 'github') throw new Refusal('auth/operation-not-allowed');
    return claimsIn(provider, proof);
  }

  function link({ identities }: FakeUser, provider: Provider, { sub, email }: IdTokenClaims) {
    const identity = { provider, email, linked_at: clock.timestamp() };
    identities.set(provider, { ...identity, subject: sub });
    return identity;
  }

  /** Anyone who knew the email may have created the account: the first use of a code removes what they have added to it. */
  function confirmOwnership(found: FakeUser, by: 'sign_in' | 'reset', caller: FakeSession | undefined): void {
    const { uid, email_verified } = found.user;
    const isFirst = !email_verified && !found.emailProven;
    found.emailProven = true;
    if (by === 'sign_in') found.user.email_verified = true;
    if (!isFirst || caller?.uid === uid) return;
    // A reset replaces it.
    found.password = undefined;
    found.identities.clear();
    found.passkeys = [];
    found.factor = undefined;
    sessions.endAll(uid);
    users.deleteCodes([uid]);
  }

  function withEmailCode(call: Call): Answer {
    const input = accept(call.body, { email, code, ...names });
    const proof = users.verify('sign_in', input.email, input.code, flowOf(call));
    const { email: address, first_name, last_name } = input;
    const found =
      users.byEmail(address) ?? users.add({ email: address, email_verified: true, first_name, last_name });
    if (found.disabled) throw new Refusal('auth/user-disabled');
    confirmOwnership(found, 'sign_in', call.session);
    proof.spend();
    return signedIn(found, 'email_code', call);
  }

  function resetPassword(call: Call): Answer {
    const input = accept(call.body, { email, code, password });
    requireStrongPassword(input.password);
    const proof = users.verify('password_reset', input.email, input.code, flowOf(call));
    const found = users.byEmail(input.email);
    if (!found) throw new Refusal('auth/invalid-code');
    if (found.disabled) throw new Refusal('auth/user-disabled');
    confirmOwnership(found, 'reset', call.session);
    found.password = input.password;
    sessions.endAll(found.user.uid);
    proof.spend();
    users.deleteCodes([found.user.uid]);
    return { ...noContent, headers: deviceToken() };
  }

  function reauthenticate(call: SignedInCall): Answer {
    const { session } = call;
    const own = users.byUid(session.uid);
    const { user, password: known, identities } = own;
    const { totp, recovery_code, ...proof } = accept(call.body, {
      password: optional(password),
      code: optional(code),
      provider_a: optional(nested(proofA)),
      provider_b: optional(nested(proofB)),
      provider: optional(anyProvider),
      passkey: optional(credential),
      totp: optional(code),
      recovery_code: optional(recoveryCode),
    });
    const given = Object.entries(proof).filter(([, value]) => value !== undefined);
    if (given.length !== 1) {
      throw new Refusal('request/validation-failed', { body: ['must have exactly one credential'] });
    }
    const spendFactor = proof.passkey
      ? () => undefined
      : secondFactor.requireAgain(own, { totp, recovery_code });
    const mailed =
      proof.code === undefined ? null : users.verify('sign_in', user.email, proof.code, flowOf(call));
    if (proof.password !== undefined && proof.password !== known)
      throw new Refusal('auth/invalid-credential');
    for (const provider of ['provider-a', 'provider-b'] as const) {
      const token = provider === 'provider-a' ? proof.provider_a : proof.provider_b;
      if (token && identities.get(provider)?.subject !== claimsOf(provider, token).sub) {
        throw new Refusal('auth/invalid-credential');
      }
    }
    if (proof.provider) {
      const { id, ...given } = proof.provider;
      const provider = providerIn({ ...call, params: { provider: id } });
      const { sub } = 'code' in given ? redirects.use(given, provider).claims : claimsOf(provider, given);
      if (identities.get(provider)?.subject !== sub) throw new Refusal('auth/invalid-credential');
    }
    if (proof.passkey && passkeys.verified(proof.passkey) !== own)
      throw new Refusal('auth/invalid-credential');
    const factor = spendFactor();
    mailed?.spend();
    sessions.renew(session, methodOf(proof), factor);
    return data(sessions.accessAnswer(session));
  }

  const handlers = {
    'POST /auth/sign-up': forAnyone((call) => {
      const account = accept(call.body, { email, password, ...names });
      requireStrongPassword(account.password);
      return signedIn(users.add(account), 'password', call, { status: 201 });
    }),
    'POST /auth/sign-in': forAnyone((call) => {
      const credential = accept(call.body, { email, password });
      const found = users.byEmail(credential.email);
      if (found?.password === undefined || found.password !== credential.password) {
        throw new Refusal('auth/invalid-credential');
      }
      return signedIn(found, 'password', call);
    }),
    'POST /auth/provider-a': forAnyone((call) => {
      const { user, isNew } = accountOf('provider-a', claimsOf('provider-a', accept(call.body, proofA)));
      return signedIn(user, 'provider_a', call, { more: { is_new_user: isNew } });
    }),
    'POST /auth/provider-b': forAnyone((call) => {
      const { first_name, last_name, ...proof } = accept(call.body, { ...proofB, ...names });
      const { user } = accountOf('provider-b', claimsOf('provider-b', proof), { first_name, last_name });
      return signedIn(user, 'provider_b', call);
    }),
    'POST /auth/providers/:provider': forAnyone((call) => {
      const provider = providerIn(call);
      const { first_name, last_name, ...proof } = accept(call.body, { ...proofA, ...names });
      const { user, isNew } = accountOf(provider, claimsOf(provider, proof), { first_name, last_name });
      return signedIn(user, methodOfProvider(provider), call, { more: { is_new_user: isNew } });
    }),
    'POST /auth/providers/finish': forAnyone((call) => {
      const { provider, claims } = redirects.use(accept(call.body, codeProof));
      const { user, isNew } = accountOf(provider, claims);
      return signedIn(user, methodOfProvider(provider), call, { more: { is_new_user: isNew } });
    }),
    'POST /auth/passkey/verify': forAnyone((call) =>
      signedIn(passkeys.verified(accept(call.body, { credential }).credential), 'passkey', call),
    ),
    'POST /auth/email-code/send': forAnyUser((call) => {
      const to = accept(call.body, { email }).email;
      return codeSent(users.mail('sign_in', to, to, { flow: flowOf(call) }));
    }),
    'POST /auth/email-code/verify': forAnyUser(withEmailCode),
    'POST /auth/password/forgot': forAnyUser((call) => {
      const to = accept(call.body, { email }).email;
      const isDecoy = !users.byEmail(to);
      return codeSent(users.mail('password_reset', to, to, { flow: flowOf(call), isDecoy }));
    }),
    'POST /auth/password/reset': forAnyUser(resetPassword),
    'POST /auth/reauthenticate': forUser(reauthenticate),
    'POST /auth/token/refresh': forAnyone(({ body }) =>
      data(sessions.refresh(accept(body, { refresh_token: text(512) }).refresh_token)),
    ),
    'POST /auth/token/from-v1': forAnyone((call) => {
      const token = accept(call.body, { v1_token: text(512) }).v1_token;
      const found = users.all().find(({ user }) => user.uid === users.v1Tokens.get(token));
      users.v1Tokens.delete(token);
      if (!found) throw new Refusal('auth/invalid-token');
      // The time of the sign-in to v1, which is not recent.
      return signedIn(found, 'v1_exchange', call, { signedInAtMs: clock.now() - 86_400_000 });
    }),
    'POST /auth/sign-out': forUser(({ session }) => {
      session.ended = true;
      return noContent;
    }),
    'POST /auth/sign-out-all': forUser(({ session }) => {
      sessions.endAll(session.uid);
      return noContent;
    }),
  } satisfies Partial<Handlers<Route>>;

  return { handlers, link, providerIn, claimsOf, deviceToken };
}

/** An ID token as a provider issues it to a client that sends `claims.nonce` to the service. */
export function fakeIdToken(provider: Provider, claims: IdTokenClaims): string {
  const payload = { ...claims, nonce: nonceOf(provider, claims.nonce) };
  return `${toBase64url('{"alg":"none"}')}.${toBase64url(JSON.stringify(payload))}.fake`;
}

/** Provider B is given the SHA-256 of the nonce; the others put it into the token as it is. */
function nonceOf(provider: Provider, nonce: string): string {
  return provider === 'provider-b' ? sha256(nonce) : nonce;
}

/** The claims of a token made by `fakeIdToken`; throws for any other, or one made for another nonce. */
function claimsIn(provider: Provider, proof: Proof): IdTokenClaims {
  const { id_token, identity_token, nonce } = proof;
  try {
    const claims = payloadOf(String(id_token ?? identity_token)) as unknown as IdTokenClaims;
    if (claims.nonce === nonceOf(provider, String(nonce)) && typeof claims.sub === 'string') return claims;
  } catch {
    // A token that is not of this fake is refused below.
  }
  throw new Refusal('auth/invalid-credential');
}

function methodOf(
  proof: Partial<Record<'password' | 'code' | 'passkey' | 'provider' | 'provider_a', unknown>>,
): FakeSession['method'] {
  if (proof.code !== undefined) return 'email_code';
  if (proof.password !== undefined) return 'password';
  if (proof.passkey !== undefined) return 'passkey';
  if (proof.provider !== undefined) return 'provider';
  return proof.provider_a !== undefined ? 'provider_a' : 'provider_b';
}
