// Attempts on client routes with another app's key; backends may also call those of records and files.
import { expect } from 'vitest';
import type { Sent } from './contract-routes.js';
import type { Answer } from './harness.js';
import {
  type Attempt,
  attempt,
  device,
  expectStatus,
  formOf,
  type IsolationScenario,
  ourBanner,
  person,
} from './isolation-scenario.js';
import { contoso } from './provider-scenario.js';
import { redirectScenario, redirectUri } from './redirect-scenario.js';

export function clientAttempts({ ours, theirs, providers }: IsolationScenario): Record<string, Attempt[]> {
  const ourToken = ours.user.tokens.access_token;
  const theirToken = theirs.user.tokens.access_token;
  const { email, password } = ours.user;
  const redirects = redirectScenario(() => providers);

  /** With our token, and with theirs. */
  const both = (sent: Sent, answered: Attempt['answered']) => [
    attempt({ token: ourToken, ...sent }, 'auth/invalid-token'),
    attempt({ token: theirToken, ...sent }, answered),
  ];
  /** The same with a new user of theirs, for calls that work once per user. */
  const bothOnce = (sent: Sent, answered: Attempt['answered']) => [
    attempt({ token: ourToken, ...sent }, 'auth/invalid-token'),
    attempt(async () => ({ token: await theirs.spare(), ...sent }), answered),
  ];

  /** Our devices, requested without a token and by a user of theirs. */
  const ourDevices = (params: Record<string, string> = {}) =>
    [ours.devices.linked, ours.devices.free].flatMap((id) =>
      [undefined, theirToken].map((token) =>
        attempt({ token, params: { id, ...params } }, 'push/device-not-found'),
      ),
    );

  /** Our files, private and public, with our token, theirs, their secret key, ours, and no credential. */
  const ourFiles = (signedIn = false) =>
    [ours.files.private, ours.files.public].flatMap(({ id }) => {
      const params = { id };
      return [
        attempt({ token: ourToken, params }, 'auth/invalid-token'),
        attempt({ token: theirToken, params }, 'files/not-found'),
        attempt({ token: theirs.app.secretKey, params }, 'files/not-found'),
        attempt({ token: ours.app.secretKey, params }, 'admin/invalid-secret-key'),
        attempt({ params }, signedIn ? 'auth/invalid-token' : 'files/not-found'),
      ];
    });

  /**
   * Our collection, which every signed-in user may change: without a credential, with either token and either secret
   * key.
   */
  const ourRecords = (body?: object) => {
    const sent = { params: { collection: 'notes', id: 'our-record' }, ...(body && { body }) };
    return [
      attempt(sent, 'data/collection-not-found'),
      attempt({ ...sent, token: ourToken }, 'auth/invalid-token'),
      attempt({ ...sent, token: theirToken }, 'data/collection-not-found'),
      attempt({ ...sent, token: ours.app.secretKey }, 'admin/invalid-secret-key'),
      attempt({ ...sent, token: theirs.app.secretKey }, 'data/collection-not-found'),
    ];
  };
  const changed = { fields: { changed: true } };

  const expectTheirs = (answer: Answer) => expect(answer.json.data.user.uid).toBe(theirs.user.uid);
  const expectNone = (answer: Answer) => expect(answer.json.data.items).toEqual([]);
  const expectWithout = (ofOurs: string) => (answer: Answer) => {
    expect(answer.status).toBe(200);
    expect(answer.text).not.toContain(ofOurs);
  };
  const expectNoSecret = (answer: Answer) => {
    expectWithout(ours.app.app.appKey)(answer);
    expect(answer.text).not.toMatch(/"(d|p|q|dp|dq|qi|k|app_key|secret_key)":/);
  };

  return {
    // Ours rejects common passwords.
    'signIn.methods': [attempt({}, (answer) => expect(answer.json.data.password.refuses_common).toBe(false))],
    'userExport.request': bothOnce({}, expectStatus(202)),
    'userExport.get': both({}, (answer) => expect(answer.json.data.status).toBe('none')),
    'signIn.signUp': [
      attempt({ body: { email, password } }, (answer) => {
        expect(answer.status).toBe(201);
        expect(answer.json.data.user.uid).not.toBe(ours.user.uid);
      }),
    ],
    'signIn.withPassword': [
      attempt({ body: { email: theirs.user.email, password } }, expectTheirs),
      attempt({ body: { email, password: 'a password of nobody' } }, 'auth/invalid-credential'),
    ],
    // Our user is unknown there: a new account is created, which is not ours.
    'signIn.withProviderA': [
      attempt(
        async () => ({ body: await providers.bodyOfA({ claims: person }) }),
        (answer) => {
          expect(answer.json.data).toMatchObject({ is_new_user: true, user: { email: person.email } });
          expect(answer.json.data.user.uid).not.toBe(ours.user.uid);
        },
      ),
    ],
    'signIn.withProviderB': [
      attempt(
        async () => ({ body: await providers.bodyOfB({ claims: { sub: 'b', email } }) }),
        // The first route of this loop created an account there with that email, not verified.
        'auth/account-exists-with-different-credential',
      ),
    ],
    // The providers of the settings of ours are unknown there.
    'signIn.withProvider': [
      attempt(
        async () => ({ params: { provider: contoso }, body: await providers.bodyOfC() }),
        'auth/no-such-provider',
      ),
    ],
    'signIn.beginRedirect': [
      attempt(
        {
          params: { provider: contoso },
          body: { redirect_uri: redirectUri, code_challenge: 'a'.repeat(43) },
        },
        'auth/no-such-provider',
      ),
    ],
    'signIn.finishRedirect': [
      attempt(async () => ({ body: await redirects.proof(person) }), 'auth/invalid-credential'),
    ],
    // Without an app key; the state is of our app and leads to our redirect URI, whoever sends it.
    'signIn.redirectCallback': [
      attempt({ params: { provider: contoso }, query: '?state=AAAA' }, 'auth/invalid-credential'),
    ],
    'signIn.redirectFormCallback': [
      attempt(
        {
          params: { provider: contoso },
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: 'state=AAAA',
        },
        'auth/invalid-credential',
      ),
    ],
    'signIn.passkeyOptions': [
      ...both({}, (answer) => expect(answer.json.data.public_key.allowCredentials).toEqual([])),
    ],
    'signIn.withPasskey': [ours.app, theirs.app].map((app) =>
      attempt(
        async () => ({ body: { credential: await ours.passkey.assertion(app) } }),
        // The fields may say that the credential is unknown.
        (answer) => expect(answer).toMatchObject({ status: 401, code: 'auth/invalid-credential' }),
      ),
    ),
    'signIn.sendEmailCode': [attempt({ body: { email } }, expectStatus(200))],
    'signIn.withEmailCode': [
      attempt({ body: { email: theirs.user.email, code: ours.codes.sign_in } }, 'auth/invalid-code'),
      attempt({ token: ourToken, body: { email, code: ours.codes.sign_in } }, 'auth/invalid-token'),
    ],
    'signIn.reauthenticate': [
      ...both({ body: { password: 'a password of nobody' } }, 'auth/invalid-credential'),
      attempt({ token: theirToken, body: { code: ours.codes.sign_in } }, 'auth/invalid-code'),
      attempt(async () => {
        const provider_a = await providers.bodyOfA({ claims: { ...person, jti: 'another' } });
        return { token: theirToken, body: { provider_a } };
      }, 'auth/invalid-credential'),
      attempt({ token: theirToken, body: { password: theirs.user.password } }, expectTheirs),
    ],
    'sessions.refresh': [
      attempt({ body: { refresh_token: ours.user.tokens.refresh_token } }, 'auth/invalid-token'),
    ],
    'sessions.signOut': bothOnce({}, expectStatus(204)),
    'sessions.signOutAll': bothOnce({}, expectStatus(204)),
    'sessions.list': both({}, (answer) => {
      expect(answer.json.data.items.length).toBeGreaterThan(0);
      expect(answer.text).not.toContain(ours.sessionId);
    }),
    'sessions.end': both({ params: { id: ours.sessionId } }, 'auth/session-not-found'),
    'passwords.forgot': [attempt({ body: { email } }, expectStatus(200))],
    'passwords.reset': [
      attempt(
        { body: { email: theirs.user.email, code: ours.codes.reset, password: 'a new password' } },
        'auth/invalid-code',
      ),
    ],
    'passwords.change': both(
      { body: { password: 'a new password', current_password: 'a password of nobody' } },
      'auth/invalid-credential',
    ),
    'profile.get': both({}, (answer) => expect(answer.json.data.uid).toBe(theirs.user.uid)),
    'profile.update': both({ body: { first_name: 'Mallory' } }, (answer) =>
      expect(answer.json.data).toMatchObject({ uid: theirs.user.uid, first_name: 'Mallory' }),
    ),
    'profile.changeEmail': both({ body: { email: 'next@example.com' } }, expectStatus(200)),
    'profile.sendVerification': both({}, expectStatus(200)),
    'profile.confirmVerification': [
      ...both({ body: { code: ours.codes.email_change } }, 'auth/invalid-code'),
      ...both({ body: { code: ours.codes.verification } }, 'auth/invalid-code'),
    ],
    'profile.delete': bothOnce({}, expectStatus(204)),
    'passkeys.list': both({}, expectNone),
    'passkeys.creationOptions': both({}, expectStatus(200)),
    'passkeys.create': both({ body: { credential: ours.passkey.credential } }, 'auth/invalid-credential'),
    'passkeys.rename': both(
      { params: { id: ours.passkey.id }, body: { name: 'Of mine' } },
      'auth/passkey-not-found',
    ),
    'passkeys.remove': both({ params: { id: ours.passkey.id } }, 'auth/passkey-not-found'),
    'secondFactor.complete': [
      attempt({ body: { ticket: ours.ticket, totp: '000000' } }, 'auth/invalid-token'),
    ],
    'secondFactor.enroll': [attempt({ body: { ticket: ours.ticket } }, 'auth/invalid-token')],
    'secondFactor.confirmEnrollment': [
      attempt({ body: { ticket: ours.ticket, code: '000000' } }, 'auth/invalid-token'),
    ],
    'secondFactor.get': both({}, (answer) => expect(answer.json.data).toMatchObject({ totp: null })),
    'secondFactor.beginTotp': both({}, expectStatus(200)),
    'secondFactor.confirmTotp': both({ body: { code: '000000' } }, expectStatus(422)),
    'secondFactor.newRecoveryCodes': both({}, 'auth/second-factor-not-enrolled'),
    'secondFactor.removeTotp': both({}, 'auth/second-factor-not-enrolled'),
    'identities.list': both({}, expectNone),
    'identities.link': [
      attempt(async () => {
        const body = await providers.bodyOfA();
        return { token: ourToken, params: { provider: 'provider-a' }, body };
      }, 'auth/invalid-token'),
      // Harmless: the same provider account is a separate identity there.
      attempt(async () => {
        const body = await providers.bodyOfA({ claims: { sub: 'linked-in-theirs' } });
        return { token: await theirs.spare(), params: { provider: 'provider-a' }, body };
      }, expectStatus(201)),
    ],
    'identities.unlink': both({ params: { provider: 'provider-a' } }, 'auth/no-such-provider'),
    'loyalty.status': both({}, (answer) =>
      expect(answer.json.data).toMatchObject({ points: 0, tier: 'member' }),
    ),
    'loyalty.history': both({}, expectNone),
    'remoteConfig.get': [attempt({}, expectWithout(ourBanner))],
    // The token of our device is a separate device there.
    'push.register': [
      ...both({ body: { ...device, token: 'device-of-ours-linked' } }, (answer) => {
        const id = expect.not.stringMatching(ours.devices.linked);
        expect(answer.json.data).toMatchObject({ user_uid: theirs.user.uid, id });
      }),
      attempt({ body: { ...device, token: 'device-of-ours-free' } }, (answer) => {
        expect(answer.status).toBe(201);
        const id = expect.not.stringMatching(ours.devices.free);
        expect(answer.json.data).toMatchObject({ user_uid: null, id });
      }),
    ],
    'push.list': both({}, expectWithout(ours.devices.linked)),
    'push.delete': ourDevices(),
    'push.subscribe': ourDevices({ topic: 'news' }),
    'push.unsubscribe': ourDevices({ topic: 'news' }),
    // Our app has one.
    'push.webKey': [attempt({}, 'push/provider-not-configured')],
    'files.upload': [
      attempt({ token: ourToken }, 'auth/invalid-token'),
      // Into their own app, regardless of the rest of the body.
      attempt({ token: theirToken, form: formOf({ app_id: ours.app.app.id }) }, (answer) =>
        expect(answer.json.data.owner_uid).toBe(theirs.user.uid),
      ),
      attempt({ token: ours.app.secretKey }, 'admin/invalid-secret-key'),
      attempt({ token: theirs.app.secretKey, form: formOf() }, expectStatus(201)),
    ],
    'files.get': ourFiles(),
    'files.url': ourFiles(),
    'files.delete': ourFiles(true),
    // A signed URL of our file works for any holder, and for that file only.
    'fileBytes.read': [
      [theirs.app, undefined, 'files/not-found'] as const,
      [ours.app, undefined, 'files/not-found'] as const,
      [theirs.app, ours.files.query, 'files/invalid-signature'] as const,
      [ours.app, theirs.files.query, 'files/invalid-signature'] as const,
    ].map(([{ app }, query, answered]) =>
      attempt({ params: { app_id: app.id, id: ours.files.private.id }, query }, answered),
    ),
    'v1Exchange.exchange': [attempt({ body: { v1_token: ours.v1Token } }, 'auth/invalid-token')],
    'data.create': ourRecords(changed),
    'data.replace': ourRecords(changed),
    'data.merge': ourRecords(changed),
    'data.query': ourRecords({ where: [] }),
    'data.list': ourRecords(),
    'data.get': ourRecords(),
    'data.delete': ourRecords(),
    // Public documents of every app, equal for every caller, with only public keys and URLs.
    'tokens.keySet': [attempt({}, expectNoSecret)],
    'tokens.discovery': [attempt({ params: { app_id: ours.app.app.id } }, expectNoSecret)],
  };
}
