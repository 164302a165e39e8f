// The sign-in routes of the fake service: password, emailed code, providers, v1, refresh and sign-out.
import { payloadOf } from '../claims.js';
import type { Provider, TokenAnswer } from '../generated/models.js';
import type { Route } from '../generated/routes.js';
import { sha256 } from '../sha256.js';
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
  name,
  nested,
  optional,
  password,
  requireStrongPassword,
  text,
} from './fake-input.js';
import type { NewUser } from './fake-service-types.js';
import type { FakeSessions } from './fake-sessions.js';
import type { FakeUser, FakeUsers } from './fake-users.js';

/** The claims of a fake ID token. */
export interface IdTokenClaims {
  sub: string;
  email: string;
  email_verified: boolean;
  nonce: string;
}

type Proof = { id_token?: unknown; identity_token?: unknown; nonce?: unknown };

export const codeSent = (flow: string): Answer => data({ expires_in: 600 }, 200, { 'X-Code-Flow': flow });

export const flowOf = (call: Call) => call.header('x-code-flow');

export const names = { first_name: optional(name), last_name: optional(name) };
/** The proof of each provider. */
export const proofA = { id_token: text(8_192), nonce: text(512) };
export const proofB = { identity_token: text(8_192), authorization_code: text(2_048), nonce: text(512) };

export function signInHandlers(
  clock: FakeClock,
  users: FakeUsers,
  sessions: FakeSessions,
  unlinkDevices: (uid: string) => void,
) {
  const settings: { unprovenCredentials: 'remove' | 'keep' } = { unprovenCredentials: 'remove' };

  const deviceToken = () => ({ 'X-Device-Token': `dt_${clock.newId()}` });

  function signedIn(
    user: FakeUser,
    method: FakeSession['method'],
    { header }: Call,
    { status = 200, more = {}, signedInAtMs = clock.now() } = {},
  ): Answer {
    const answer: TokenAnswer = sessions.begin(user, method, header, signedInAtMs);
    return data({ ...answer, ...more }, status, deviceToken());
  }

  /** The account of an ID token: by the provider's user id, then by verified email, otherwise a new one. */
  function accountOf(
    provider: Provider,
    proof: Proof,
    given: Pick<NewUser, 'first_name' | 'last_name'> = {},
  ) {
    const claims = claimsOf(provider, proof);
    const owner = users.all().find(({ identities }) => identities.get(provider)?.subject === claims.sub);
    if (owner) return { user: owner, isNew: false };
    if (!claims.email_verified) throw new Refusal('auth/invalid-credential');
    const match = users.byEmail(claims.email);
    if (match && (!match.user.email_verified || match.identities.has(provider))) {
      throw new Refusal('auth/account-exists-with-different-credential');
    }
    const user = match ?? users.add({ email: claims.email, email_verified: true });
    user.user.first_name ??= given.first_name ?? null;
    user.user.last_name ??= given.last_name ?? null;
    link(user, provider, claims);
    return { user, isNew: !match };
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
    if (!isFirst || caller?.uid === uid || settings.unprovenCredentials === 'keep') return;
    // A reset replaces it.
    found.password = undefined;
    found.identities.clear();
    sessions.endAll(uid);
    users.deleteCodes([uid]);
    unlinkDevices(uid);
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
    return noContent;
  }

  function reauthenticate(call: SignedInCall): Answer {
    const { session } = call;
    const { user, password: known, identities } = users.byUid(session.uid);
    const proof = accept(call.body, {
      password: optional(password),
      code: optional(code),
      provider_a: optional(nested(proofA)),
      provider_b: optional(nested(proofB)),
    });
    const given = Object.entries(proof).filter(([, value]) => value !== undefined);
    if (given.length !== 1) {
      throw new Refusal('request/validation-failed', { body: ['must have exactly one credential'] });
    }
    if (proof.code !== undefined) users.verify('sign_in', user.email, proof.code, flowOf(call)).spend();
    if (proof.password !== undefined && proof.password !== known)
      throw new Refusal('auth/invalid-credential');
    for (const provider of ['provider-a', 'provider-b'] as const) {
      const token = provider === 'provider-a' ? proof.provider_a : proof.provider_b;
      if (token && identities.get(provider)?.subject !== claimsOf(provider, token).sub) {
        throw new Refusal('auth/invalid-credential');
      }
    }
    session.signedInAtMs = clock.now();
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
      const { user, isNew } = accountOf('provider-a', accept(call.body, proofA));
      return signedIn(user, 'provider_a', call, { more: { is_new_user: isNew } });
    }),
    'POST /auth/provider-b': forAnyone((call) => {
      const { first_name, last_name, ...proof } = accept(call.body, { ...proofB, ...names });
      const { user } = accountOf('provider-b', proof, { first_name, last_name });
      return signedIn(user, 'provider_b', call);
    }),
    'POST /auth/email-code/send': forAnyone(({ body }) => {
      const to = accept(body, { email }).email;
      return codeSent(users.mail('sign_in', to, to));
    }),
    'POST /auth/email-code/verify': forAnyUser(withEmailCode),
    'POST /auth/password/forgot': forAnyone(({ body }) => {
      const to = accept(body, { email }).email;
      return codeSent(users.mail('password_reset', to, to, !users.byEmail(to)));
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

  return { handlers, settings, link };
}

/** An ID token as a provider issues it to a client that sends `claims.nonce` to the service. */
export function fakeIdToken(provider: Provider, claims: IdTokenClaims): string {
  const payload = { ...claims, nonce: nonceOf(provider, claims.nonce) };
  return `${toBase64url('{"alg":"none"}')}.${toBase64url(JSON.stringify(payload))}.fake`;
}

/** Provider A puts the nonce into the token as it is; provider B is given its SHA-256. */
function nonceOf(provider: Provider, nonce: string): string {
  return provider === 'provider-a' ? nonce : sha256(nonce);
}

/** The claims of a token made by `fakeIdToken`; throws for any other, or one made for another nonce. */
export function claimsOf(provider: Provider, proof: Proof): IdTokenClaims {
  const { id_token, identity_token, nonce } = proof;
  try {
    const claims = payloadOf(String(id_token ?? identity_token)) as unknown as IdTokenClaims;
    if (claims.nonce === nonceOf(provider, String(nonce)) && typeof claims.sub === 'string') return claims;
  } catch {
    // Not a token of this fake: refused below.
  }
  throw new Refusal('auth/invalid-credential');
}
