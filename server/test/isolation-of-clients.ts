// Attempts on client routes with another app's key; backends may also call those of records and files.
import { expect } from 'vitest';
import type { Sent } from './contract-routes.js';
import type { Answer } from './harness.js';
import {
  type Attempt,
  device,
  expectStatus,
  formOf,
  type IsolationScenario,
  ourBanner,
  person,
} from './isolation-scenario.js';

export function clientAttempts({ ours, theirs, providers }: IsolationScenario): Record<string, Attempt[]> {
  const ourToken: Attempt = {
    send: () => ({ token: ours.user.tokens.access_token }),
    answered: 'auth/invalid-token',
  };
  const theirToken = theirs.user.tokens.access_token;

  /** With our token, and with theirs. */
  const both = (options: Sent, answered: Attempt['answered']): Attempt[] => [
    { ...ourToken, send: () => ({ ...ourToken.send(), ...options }) },
    { send: () => ({ token: theirToken, ...options }), answered },
  ];
  /** The same with a new user of theirs each time, for calls that work once per user. */
  const bothOnce = (options: Sent, answered: Attempt['answered']): Attempt[] => [
    { ...ourToken, send: () => ({ ...ourToken.send(), ...options }) },
    { send: async () => ({ token: await theirs.spare(), ...options }), answered },
  ];

  /** Our devices, requested without a token and by a user of theirs. */
  const ourDevices = (params: Record<string, string> = {}): Attempt[] =>
    [ours.devices.linked, ours.devices.free].flatMap((id) =>
      [undefined, theirToken].map(
        (token): Attempt => ({
          send: () => ({ token, params: { id, ...params } }),
          answered: 'push/device-not-found',
        }),
      ),
    );

  /** Our files, private and public, with our token, theirs, their secret key, ours, and no credential. */
  function ourFiles(signedIn = false): Attempt[] {
    return [ours.files.private, ours.files.public].flatMap(({ id }): Attempt[] => {
      const params = { id };
      return [
        { send: () => ({ ...ourToken.send(), params }), answered: 'auth/invalid-token' },
        { send: () => ({ token: theirToken, params }), answered: 'files/not-found' },
        { send: () => ({ token: theirs.app.secretKey, params }), answered: 'files/not-found' },
        { send: () => ({ token: ours.app.secretKey, params }), answered: 'admin/invalid-secret-key' },
        { send: () => ({ params }), answered: signedIn ? 'auth/invalid-token' : 'files/not-found' },
      ];
    });
  }

  /**
   * Our collection, which every signed-in user may change: without a credential, with either token and either secret
   * key.
   */
  function recordAttempts(): Record<string, Attempt[]> {
    const fields = { fields: { changed: true } };
    const bodies = { create: fields, replace: fields, merge: fields, query: { where: [] } };
    const attempt = (body: object | undefined, answered: Attempt['answered'], token?: string): Attempt => ({
      send: () => ({ token, params: { collection: 'notes', id: 'our-record' }, ...(body && { body }) }),
      answered,
    });
    return Object.fromEntries(
      ['create', 'replace', 'merge', 'query', 'list', 'get', 'delete'].map((name) => {
        const body = bodies[name as keyof typeof bodies];
        return [
          `data.${name}`,
          [
            attempt(body, 'data/collection-not-found'),
            attempt(body, 'auth/invalid-token', ours.user.tokens.access_token),
            attempt(body, 'data/collection-not-found', theirToken),
            attempt(body, 'admin/invalid-secret-key', ours.app.secretKey),
            attempt(body, 'data/collection-not-found', theirs.app.secretKey),
          ],
        ];
      }),
    );
  }

  const expectTheirs = (answer: Answer) => expect(answer.json.data.user.uid).toBe(theirs.user.uid);
  const expectNone = (answer: Answer) => expect(answer.json.data.items).toEqual([]);

  return {
    'signIn.signUp': [
      {
        send: () => ({ body: { email: ours.user.email, password: ours.user.password } }),
        answered: (answer) => {
          expect(answer.status).toBe(201);
          expect(answer.json.data.user.uid).not.toBe(ours.user.uid);
        },
      },
    ],
    'signIn.withPassword': [
      {
        send: () => ({ body: { email: theirs.user.email, password: ours.user.password } }),
        answered: expectTheirs,
      },
      {
        send: () => ({ body: { email: ours.user.email, password: 'a password of nobody' } }),
        answered: 'auth/invalid-credential',
      },
    ],
    // Our user is unknown there: a new account is created, which is not ours.
    'signIn.withProviderA': [
      {
        send: async () => ({ body: await providers.bodyOfA({ claims: person }) }),
        answered: (answer) => {
          expect(answer.json.data).toMatchObject({ is_new_user: true, user: { email: person.email } });
          expect(answer.json.data.user.uid).not.toBe(ours.user.uid);
        },
      },
    ],
    'signIn.withProviderB': [
      {
        send: async () => ({
          body: await providers.bodyOfB({ claims: { sub: 'b', email: ours.user.email } }),
        }),
        // The first route of this loop created an account there with that email, not verified.
        answered: 'auth/account-exists-with-different-credential',
      },
    ],
    'signIn.sendEmailCode': [
      { send: () => ({ body: { email: ours.user.email } }), answered: expectStatus(200) },
    ],
    'signIn.withEmailCode': [
      {
        send: () => ({ body: { email: theirs.user.email, code: ours.codes.sign_in } }),
        answered: 'auth/invalid-code',
      },
      {
        send: () => ({ ...ourToken.send(), body: { email: ours.user.email, code: ours.codes.sign_in } }),
        answered: 'auth/invalid-token',
      },
    ],
    'signIn.reauthenticate': [
      ...both({ body: { password: 'a password of nobody' } }, 'auth/invalid-credential'),
      {
        send: () => ({ token: theirToken, body: { code: ours.codes.sign_in } }),
        answered: 'auth/invalid-code',
      },
      {
        send: async () => ({
          token: theirToken,
          body: { provider_a: await providers.bodyOfA({ claims: { ...person, jti: 'another' } }) },
        }),
        answered: 'auth/invalid-credential',
      },
      {
        send: () => ({ token: theirToken, body: { password: theirs.user.password } }),
        answered: expectTheirs,
      },
    ],
    'sessions.refresh': [
      {
        send: () => ({ body: { refresh_token: ours.user.tokens.refresh_token } }),
        answered: 'auth/invalid-token',
      },
    ],
    'sessions.signOut': bothOnce({}, expectStatus(204)),
    'sessions.signOutAll': bothOnce({}, expectStatus(204)),
    'sessions.list': both({}, (answer) => {
      expect(answer.json.data.items.length).toBeGreaterThan(0);
      expect(answer.text).not.toContain(ours.sessionId);
    }),
    'sessions.end': both({ params: { id: ours.sessionId } }, 'auth/session-not-found'),
    'passwords.forgot': [{ send: () => ({ body: { email: ours.user.email } }), answered: expectStatus(200) }],
    'passwords.reset': [
      {
        send: () => ({
          body: { email: theirs.user.email, code: ours.codes.reset, password: 'a new password' },
        }),
        answered: 'auth/invalid-code',
      },
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
    'identities.list': both({}, expectNone),
    'identities.link': [
      {
        ...ourToken,
        send: async () => ({
          ...ourToken.send(),
          params: { provider: 'provider-a' },
          body: await providers.bodyOfA(),
        }),
      },
      {
        // Harmless: the same provider account is a separate identity there.
        send: async () => ({
          token: await theirs.spare(),
          params: { provider: 'provider-a' },
          body: await providers.bodyOfA({ claims: { sub: 'linked-in-theirs' } }),
        }),
        answered: expectStatus(201),
      },
    ],
    'identities.unlink': both({ params: { provider: 'provider-a' } }, 'auth/no-such-provider'),
    'loyalty.status': both({}, (answer) =>
      expect(answer.json.data).toMatchObject({ points: 0, tier: 'member' }),
    ),
    'loyalty.history': both({}, expectNone),
    'remoteConfig.get': [
      {
        send: () => ({}),
        answered: (answer) => {
          expect(answer.status).toBe(200);
          expect(answer.text).not.toContain(ourBanner);
        },
      },
    ],
    // The token of our device is a separate device there.
    'push.register': [
      ...both({ body: { ...device, token: 'device-of-ours-linked' } }, (answer) =>
        expect(answer.json.data).toMatchObject({
          user_uid: theirs.user.uid,
          id: expect.not.stringMatching(ours.devices.linked),
        }),
      ),
      {
        send: () => ({ body: { ...device, token: 'device-of-ours-free' } }),
        answered: (answer) => {
          expect(answer.status).toBe(201);
          expect(answer.json.data).toMatchObject({
            user_uid: null,
            id: expect.not.stringMatching(ours.devices.free),
          });
        },
      },
    ],
    'push.list': both({}, (answer) => {
      expect(answer.status).toBe(200);
      expect(answer.text).not.toContain(ours.devices.linked);
    }),
    'push.delete': ourDevices(),
    'push.subscribe': ourDevices({ topic: 'news' }),
    'push.unsubscribe': ourDevices({ topic: 'news' }),
    // Our app has one.
    'push.webKey': [{ send: () => ({}), answered: 'push/provider-not-configured' }],
    'files.upload': [
      ourToken,
      {
        // Into their own app, regardless of the rest of the body.
        send: () => ({ token: theirToken, form: formOf({ app_id: ours.app.app.id }) }),
        answered: (answer) => expect(answer.json.data.owner_uid).toBe(theirs.user.uid),
      },
      { send: () => ({ token: ours.app.secretKey }), answered: 'admin/invalid-secret-key' },
      { send: () => ({ token: theirs.app.secretKey, form: formOf() }), answered: expectStatus(201) },
    ],
    'files.get': ourFiles(),
    'files.url': ourFiles(),
    'files.delete': ourFiles(true),
    'fileBytes.read': [
      // A signed URL of our file works for any holder, and for that file only.
      ...[theirs, ours].map(
        ({ app }): Attempt => ({
          send: () => ({ params: { app_id: app.app.id, id: ours.files.private.id } }),
          answered: 'files/not-found',
        }),
      ),
      ...[
        { app: theirs.app, query: ours.files.query },
        { app: ours.app, query: theirs.files.query },
      ].map(
        ({ app, query }): Attempt => ({
          send: () => ({ params: { app_id: app.app.id, id: ours.files.private.id }, query }),
          answered: 'files/invalid-signature',
        }),
      ),
    ],
    'v1Exchange.exchange': [
      { send: () => ({ body: { v1_token: ours.v1Token } }), answered: 'auth/invalid-token' },
    ],
    ...recordAttempts(),
    // Public documents of every app, equal for every caller, with only public keys and URLs.
    'tokens.keySet': [{ send: () => ({}), answered: expectNoSecret }],
    'tokens.discovery': [{ send: () => ({ params: { app_id: ours.app.app.id } }), answered: expectNoSecret }],
  };

  function expectNoSecret(answer: Answer): void {
    expect(answer.status).toBe(200);
    expect(answer.text).not.toMatch(/"(d|p|q|dp|dq|qi|k|app_key|secret_key)":/);
    expect(answer.text).not.toContain(ours.app.app.appKey);
  }
}
