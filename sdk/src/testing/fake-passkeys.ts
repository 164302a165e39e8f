// Passkeys in the fake service: its routes, and devices that create and use them. A device signs nothing: the fake looks a
// credential up by its id, and its challenge by what the device repeats.
import type { NativePasskeys } from '../features/passkey-types.js';
import type { Passkey } from '../generated/models.js';
import type { Route } from '../generated/routes.js';
import { fromBase64url, toBase64url } from './base64url.js';
import {
  type Call,
  data,
  forAnyUser,
  forUser,
  type Handlers,
  pageOf,
  Refusal,
  type SignedInCall,
} from './fake-answer.js';
import type { FakeClock } from './fake-clock.js';
import { accept, nested, optional, text, trimmed } from './fake-input.js';
import type { FakeSessions } from './fake-sessions.js';
import type { FakePasskey, FakeUser, FakeUsers } from './fake-users.js';

const challengeSeconds = 300;
const maxPasskeys = 20;
const maxNameCharacters = 100;
const rp = { id: 'foyer.test', name: 'Fake' };

/** What a credential has in the JSON of WebAuthn, as far as the fake reads it. */
export const credential = nested({
  id: text(1_364),
  type: text(32),
  response: nested({ clientDataJSON: text(8_192) }),
});
type Credential = ReturnType<typeof credential>;

export type FakePasskeys = ReturnType<typeof fakePasskeys>;

export function fakePasskeys(clock: FakeClock, users: FakeUsers, sessions: FakeSessions) {
  /** The challenges that can be used, with the session that may register with one. */
  const challenges = new Map<string, { expiresAtMs: number; sessionId?: string | undefined }>();

  function challenge(sessionId?: string): string {
    const id = toBase64url(clock.newId());
    challenges.set(id, { expiresAtMs: clock.now() + challengeSeconds * 1_000, sessionId });
    return id;
  }

  function spendChallenge({ response }: Credential, type: string, sessionId?: string): void {
    const signed = JSON.parse(fromBase64url(response.clientDataJSON));
    const own = challenges.get(signed.challenge);
    const isValid = own && own.expiresAtMs >= clock.now() && own.sessionId === sessionId;
    if (!isValid || signed.type !== type) throw new Refusal('auth/invalid-credential');
    challenges.delete(signed.challenge);
  }

  const handleOf = ({ user }: FakeUser) => toBase64url(`handle-${user.uid}`);
  const descriptors = ({ passkeys }: FakeUser) =>
    passkeys.map(({ credentialId }) => ({
      id: credentialId,
      type: 'public-key' as const,
      transports: ['internal' as const],
    }));

  const options = (public_key: object) => data({ public_key, expires_in: challengeSeconds });

  function requestOptions({ session }: Call) {
    const allowCredentials = session ? descriptors(users.byUid(session.uid)) : [];
    const timeout = challengeSeconds * 1_000;
    return options({
      ...{ challenge: challenge(), timeout, rpId: rp.id, allowCredentials },
      userVerification: 'preferred',
    });
  }

  function creationOptions({ session }: SignedInCall) {
    sessions.requireRecent(session);
    const owner = users.byUid(session.uid);
    const { email, first_name, last_name } = owner.user;
    if (owner.passkeys.length >= maxPasskeys) throw new Refusal('auth/too-many-passkeys');
    return options({
      rp,
      user: {
        id: handleOf(owner),
        name: email,
        displayName: [first_name, last_name].filter(Boolean).join(' ') || email,
      },
      challenge: challenge(session.id),
      pubKeyCredParams: [-8, -7, -257].map((alg) => ({ type: 'public-key', alg })),
      timeout: challengeSeconds * 1_000,
      excludeCredentials: descriptors(owner),
      authenticatorSelection: {
        ...{ residentKey: 'required', requireResidentKey: true, userVerification: 'preferred' },
      },
      attestation: 'none',
    });
  }

  function create({ session, body }: SignedInCall) {
    const input = accept(body, { credential, name: optional(trimmed(maxNameCharacters)) });
    sessions.requireRecent(session);
    spendChallenge(input.credential, 'webauthn.create', session.id);
    const { id: credentialId } = input.credential;
    if (users.all().some(({ passkeys }) => passkeys.some((each) => each.credentialId === credentialId))) {
      throw new Refusal('auth/passkey-already-registered');
    }
    const passkey: FakePasskey = {
      ...{ id: clock.newId(), name: input.name ?? 'Passkey', provider_name: null, backed_up: false },
      ...{ created_at: clock.timestamp(), last_used_at: null, credentialId },
    };
    users.byUid(session.uid).passkeys.push(passkey);
    return data(shown(passkey), 201);
  }

  /** The user of a passkey, which the device has proven. */
  function verified(given: Credential): FakeUser {
    spendChallenge(given, 'webauthn.get');
    for (const owner of users.all()) {
      const passkey = owner.passkeys.find(({ credentialId }) => credentialId === given.id);
      if (!passkey) continue;
      passkey.last_used_at = clock.timestamp();
      return owner;
    }
    throw new Refusal('auth/invalid-credential', { 'credential.id': ['is not a passkey of this app'] });
  }

  function ownPasskey({ session, params }: SignedInCall): FakePasskey {
    const own = users.byUid(session.uid).passkeys.find(({ id }) => id === params.id);
    if (own) return own;
    throw new Refusal('auth/passkey-not-found');
  }

  function remove(call: SignedInCall) {
    sessions.requireRecent(call.session);
    const own = ownPasskey(call);
    const owner = users.byUid(call.session.uid);
    const rest = owner.passkeys.filter((each) => each !== own);
    const isLast = rest.length === 0 && owner.password === undefined && owner.identities.size === 0;
    if (isLast && !owner.user.email_verified) throw new Refusal('auth/last-sign-in-method');
    owner.passkeys = rest;
    const credential_ids = rest.map(({ credentialId }) => credentialId);
    return data({ rp_id: rp.id, user_id: handleOf(owner), credential_ids });
  }

  const handlers = {
    'POST /auth/passkey/options': forAnyUser(requestOptions),
    'GET /me/passkeys': forUser((call) =>
      pageOf([...users.byUid(call.session.uid).passkeys].reverse().map(shown), call),
    ),
    'POST /me/passkeys/options': forUser(creationOptions),
    'POST /me/passkeys': forUser(create),
    'PATCH /me/passkeys/:id': forUser((call) => {
      const own = ownPasskey(call);
      own.name = accept(call.body, { name: trimmed(maxNameCharacters) }).name;
      return data(shown(own));
    }),
    'DELETE /me/passkeys/:id': forUser(remove),
  } satisfies Partial<Handlers<Route>>;

  return { handlers, verified };
}

const shown = ({ credentialId, ...passkey }: FakePasskey): Passkey => passkey;

/** A device for `passkeys(client, device)`: it chooses the passkey that it has created last. */
export function fakePasskeyDevice(newId: () => string): NativePasskeys {
  const held: { id: string; userHandle: string }[] = [];
  const json = (id: string, type: string, challenge: string, response: object) => {
    const clientDataJSON = toBase64url(JSON.stringify({ type, challenge, origin: `https://${rp.id}` }));
    return { id, rawId: id, type: 'public-key', response: { clientDataJSON, ...response } };
  };
  return {
    isSupported: () => true,
    async create({ challenge, user, excludeCredentials }) {
      const isExcluded = excludeCredentials.some(({ id }) => held.some((own) => own.id === id));
      // As a browser refuses it.
      if (isExcluded) throw Object.assign(new Error('It has one already.'), { name: 'InvalidStateError' });
      const id = toBase64url(newId());
      held.push({ id, userHandle: user.id });
      return json(id, 'webauthn.create', challenge, { attestationObject: 'fake', transports: ['internal'] });
    },
    async get({ challenge, allowCredentials }) {
      const isAllowed = (id: string) =>
        allowCredentials.length === 0 || allowCredentials.some((each) => each.id === id);
      const own = held.filter(({ id }) => isAllowed(id)).at(-1);
      if (!own) return null;
      const { id, userHandle } = own;
      const proof = { authenticatorData: 'fake', signature: 'fake', userHandle };
      return json(id, 'webauthn.get', challenge, proof);
    },
  };
}
