// The routes of the signed-in user in the fake service: profile, account, sessions, identities and loyalty.
import type { Route } from '../generated/routes.js';
import type { Provider } from '../models.js';
import {
  data,
  forUser,
  type Handlers,
  noContent,
  pageOf,
  Refusal,
  type SignedInCall,
} from './fake-answer.js';
import {
  accept,
  code,
  email,
  optional,
  password,
  profileFields,
  requireStrongPassword,
} from './fake-input.js';
import { codeProof, type FakeRedirects } from './fake-redirects.js';
import type { FakeSessions } from './fake-sessions.js';
import { codeSent, flowOf, type IdTokenClaims, proofA, proofB, type signInHandlers } from './fake-sign-in.js';
import { emailInUse, type FakeUser, type FakeUsers } from './fake-users.js';

/** The tier of every user. */
const tier = 'member';

export function profileHandlers(
  users: FakeUsers,
  sessions: FakeSessions,
  {
    link,
    providerIn,
    claimsOf,
    deviceToken,
    redirects,
    deleteDataOf,
  }: Pick<ReturnType<typeof signInHandlers>, 'link' | 'providerIn' | 'claimsOf' | 'deviceToken'> & {
    redirects: FakeRedirects;
    deleteDataOf: (uid: string) => void;
  },
) {
  const caller = ({ session }: SignedInCall) => users.byUid(session.uid);

  function confirm(call: SignedInCall) {
    const own = caller(call);
    const { user } = own;
    const guess = accept(call.body, { code }).code;
    const purpose = users.purposeToConfirm(user.uid, flowOf(call));
    const { to, spend } = users.verify(purpose, user.uid, guess, flowOf(call));
    // The email was changed after the code was sent to the previous one.
    if (purpose === 'verification' && to !== user.email) throw new Refusal('auth/invalid-code');
    const holder = users.byEmail(to);
    if (holder && holder !== own) throw emailInUse();
    spend();
    user.email = to;
    user.email_verified = true;
    own.emailProven = true;
    return data({ ...user });
  }

  function changePassword(call: SignedInCall) {
    const own = caller(call);
    const change = accept(call.body, { password, current_password: optional(password) });
    requireStrongPassword(change.password);
    const given = change.current_password;
    if (given === undefined || own.factor) sessions.requireRecent(call.session);
    if (given !== undefined && given !== own.password) throw new Refusal('auth/invalid-credential');
    own.password = change.password;
    sessions.endAll(own.user.uid, call.session);
    return { ...noContent, headers: deviceToken() };
  }

  /** `spend` throws for a code that was used. */
  function proofIn({ body }: SignedInCall, provider: Provider): { claims: IdTokenClaims; spend?(): void } {
    const { id_token, identity_token, code } = body;
    if (code !== undefined && id_token === undefined && identity_token === undefined)
      return redirects.verify(accept(body, codeProof), provider);
    const hasCode = provider === 'provider-b' && (id_token === undefined || identity_token !== undefined);
    return { claims: claimsOf(provider, hasCode ? accept(body, proofB) : accept(body, proofA)) };
  }

  function linkIdentity(call: SignedInCall) {
    const provider = providerIn(call);
    sessions.requireRecent(call.session);
    const own = caller(call);
    const { claims, spend } = proofIn(call, provider);
    if (own.identities.has(provider)) throw new Refusal('auth/provider-already-linked');
    const isLinked = ({ identities }: FakeUser) => identities.get(provider)?.subject === claims.sub;
    if (users.all().some(isLinked)) throw new Refusal('auth/credential-already-in-use');
    spend?.();
    return data(link(own, provider, claims), 201);
  }

  return {
    'GET /me': forUser((call) => data({ ...caller(call).user })),
    'PATCH /me': forUser((call) => {
      const { user } = caller(call);
      const patch = accept(call.body, profileFields);
      for (const [field, value] of Object.entries(patch)) {
        if (value !== undefined) Object.assign(user, { [field]: value });
      }
      return data({ ...user });
    }),
    'DELETE /me': forUser((call) => {
      sessions.requireRecent(call.session);
      const { uid } = call.session;
      sessions.endAll(uid);
      users.remove(uid);
      deleteDataOf(uid);
      return noContent;
    }),
    'PUT /me/password': forUser(changePassword),
    'POST /me/email': forUser((call) => {
      sessions.requireRecent(call.session);
      const to = accept(call.body, { email }).email;
      const { uid } = call.session;
      if (caller(call).user.email === to) return codeSent(users.mail('verification', uid, to));
      if (users.byEmail(to)) throw emailInUse();
      return codeSent(users.mail('email_change', uid, to));
    }),
    'POST /auth/email/verification/send': forUser((call) => {
      const { uid, email: to } = caller(call).user;
      return codeSent(users.mail('verification', uid, to));
    }),
    'POST /auth/email/verification/confirm': forUser(confirm),
    'GET /me/sessions': forUser((call) => {
      const own = sessions
        .of(call.session.uid)
        .reverse()
        .sort((a, b) => b.lastUsedAtMs - a.lastUsedAtMs);
      return pageOf(
        own.map((each) => sessions.show(each, call.session)),
        call,
      );
    }),
    'DELETE /me/sessions/:id': forUser(({ session, params }) => {
      const target = sessions.of(session.uid).find(({ id }) => id === params.id);
      if (!target) throw new Refusal('auth/session-not-found');
      target.ended = true;
      return noContent;
    }),
    'GET /me/identities': forUser((call) => {
      const items = [...caller(call).identities.values()].map(({ subject, ...identity }) => identity);
      return data({ items, next_cursor: null });
    }),
    'POST /me/identities/:provider': forUser(linkIdentity),
    'DELETE /me/identities/:provider': forUser((call) => {
      sessions.requireRecent(call.session);
      if (!caller(call).identities.delete(call.params.provider as string))
        throw new Refusal('auth/no-such-provider');
      return noContent;
    }),
    'GET /me/loyalty': forUser((call) => {
      const { user, entries } = caller(call);
      const points = entries.reduce((sum, entry) => sum + entry.points, 0);
      return data({ member_id: user.uid.slice(-10), points, tier, next_tier: null });
    }),
    'GET /me/loyalty/history': forUser((call) => pageOf([...caller(call).entries].reverse(), call)),
  } satisfies Partial<Handlers<Route>>;
}
