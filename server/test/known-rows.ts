// An existing row for every path parameter, so that bad bodies are validated and not answered 404 before. A row that a
// call has removed is created again.
import type { NewApp } from '../src/apps/create-app.js';
import { createSecretKey } from '../src/apps/secret-keys.js';
import { byCommandLine } from '../src/model/actor.js';
import { type Chance, oddValue } from './bad-values.js';
import type { ContractRoute } from './contract-routes.js';
import { claimsOf, type TestUser } from './harness.js';
import { contoso, type ProviderScenario } from './provider-scenario.js';
import { type TeamScenario, teamScenario } from './team-scenario.js';

/** A public IP address: needs no DNS lookup, and nothing is sent. */
const receiverUrl = 'https://93.184.215.14/hooks';

export type KnownRows = {
  /** The signed-in user of client routes; a new one after that account or session is gone. */
  user(): Promise<TestUser>;
  /** An owner of the service, who calls with the app key of the dashboard. */
  member(): Promise<{ token: string; appKey: string }>;
  /** The parameters of the route, each of an existing row. */
  params(route: ContractRoute, user: TestUser): Promise<Record<string, string>>;
};

/** `backend` is the app of secret-key calls, which may change the app itself. */
export function knownRows(providers: ProviderScenario, backend: NewApp): KnownRows {
  const { service } = providers;
  const { prisma } = service.database;
  const made = new Map<string, string>();
  let caller: TestUser | undefined;
  let sessionUser: TestUser | undefined;

  async function answered(
    method: string,
    path: string,
    app: NewApp,
    options: object,
  ): Promise<{ id: string; uid: string }> {
    const answer = await service.call(method, path, { appKey: app.app.appKey, ...options });
    if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text}`);
    return answer.data as { id: string; uid: string };
  }
  const asBackend = (method: string, path: string, body: object) =>
    answered(method, path, backend, { token: backend.secretKey, body });
  const asUser = (user: TestUser, method: string, path: string, more: object) =>
    answered(method, path, service.app, { token: user.tokens.access_token, ...more });

  /** The id last created under this name, unless the row is gone. */
  async function kept(
    name: string,
    make: () => Promise<string>,
    isThere: (id: string) => Promise<number> = async () => 1,
  ) {
    const last = made.get(name);
    if (last !== undefined && (await isThere(last)) > 0) return last;
    const id = await make();
    made.set(name, id);
    return id;
  }
  const [own, theirs] = [service.app.app.id, backend.app.id];
  const live = { endedAt: null };

  const uid = () =>
    kept(
      'uid',
      async () => {
        const email = `known-${service.deps.random.ulid(service.clock.now())}@example.com`;
        return (await asBackend('POST', '/admin/users', { email })).uid;
      },
      (id) => prisma.user.count({ where: { appId: theirs, id } }),
    );
  const webhook = () =>
    kept(
      'webhook',
      async () => {
        // Valid ones among the bad inputs have reached the maximum number of webhooks.
        await prisma.webhookEndpoint.deleteMany({ where: { appId: theirs } });
        return (await asBackend('POST', '/admin/webhooks', { url: receiverUrl })).id;
      },
      (id) => prisma.webhookEndpoint.count({ where: { appId: theirs, id } }),
    );
  const sessionOf = (name: string, user: TestUser, appKey: string) =>
    kept(
      `${name} of ${user.uid}`,
      async () => claimsOf((await service.signIn(user, { appKey })).data.access_token).sid as string,
      (id) => prisma.session.count({ where: { id, ...live } }),
    );

  /** A passkey that nobody can sign with. */
  const passkeyOf = (uid: string, appId: string) =>
    kept(
      `passkey of ${uid}`,
      async () => {
        const now = service.clock.now();
        const id = service.deps.random.ulid(now);
        const key = {
          credentialId: new Uint8Array(service.deps.random.bytes(16)),
          publicKey: new Uint8Array(1),
        };
        const data = { ...key, appId, id, uid, counter: 0n, backedUp: true, aaguid: '', name: 'Passkey' };
        await prisma.passkey.create({ data: { ...data, createdAt: now } });
        return id;
      },
      (id) => prisma.passkey.count({ where: { appId, id } }),
    );

  let team: Promise<TeamScenario> | undefined;
  const startedTeam = () => {
    team ??= teamScenario(() => service);
    return team;
  };
  /** An app of its own, which calls may disable. */
  const teamApp = () => kept('app of a team', async () => (await service.newApp('Of a team')).app.id);

  /** By path prefix; the first match is used. */
  const makers: [string, (user: TestUser) => Promise<Record<string, string>>][] = [
    [
      '/admin/users/:uid/sessions/:id',
      async () => {
        const { appKey } = backend.app;
        sessionUser ??= await service.signUp({ appKey });
        return { uid: sessionUser.uid, id: await sessionOf('session', sessionUser, appKey) };
      },
    ],
    [
      '/admin/users/:uid/passkeys/:id',
      async () => {
        const { appKey } = backend.app;
        const user = await service.signUp({ appKey });
        return { uid: user.uid, id: await passkeyOf(user.uid, theirs) };
      },
    ],
    ['/me/passkeys/:id', async (user) => ({ id: await passkeyOf(user.uid, own) })],
    ['/admin/users/:uid', async () => ({ uid: await uid() })],
    ['/admin/push/users/:uid', async () => ({ uid: await uid() })],
    ['/me/sessions/:id', async (user) => ({ id: await sessionOf('own', user, service.app.app.appKey) })],
    ['/auth/providers/:provider', async () => ({ provider: contoso })],
    [
      '/me/identities/:provider',
      async (user) => ({
        provider: await kept(
          `identity of ${user.uid}`,
          async () => {
            const sub = service.deps.random.ulid(service.clock.now());
            const body = await providers.bodyOfA({ claims: { sub, jti: sub } });
            await asUser(user, 'POST', '/me/identities/provider-a', { body });
            return 'provider-a';
          },
          () => prisma.identity.count({ where: { appId: own, uid: user.uid } }),
        ),
      }),
    ],
    [
      '/push/devices/:id',
      async () => ({
        topic: 'news',
        id: await kept(
          'device',
          async () => {
            const body = { provider: 'fcm', platform: 'android', token: 'token-of-the-known-device' };
            return (await answered('POST', '/push/devices', service.app, { body })).id;
          },
          (id) => prisma.pushDevice.count({ where: { appId: own, id, uid: null } }),
        ),
      }),
    ],
    [
      '/admin/push/messages/:id',
      async () => ({
        id: await kept(
          'message',
          async () => (await asBackend('POST', '/admin/push/send', { all: true, data: { a: 'b' } })).id,
        ),
      }),
    ],
    [
      '/admin/keys/:id',
      async () => ({
        id: await kept(
          'secret key',
          async () => {
            // The key of the backend stays, because other calls need it.
            const draft = { name: 'Known', scopes: ['users:read' as const], expiresAt: null };
            return (await createSecretKey(service.deps, byCommandLine(theirs), draft)).key.id;
          },
          (id) => prisma.secretKey.count({ where: { appId: theirs, id, revokedAt: null } }),
        ),
      }),
    ],
    [
      '/admin/webhooks/:id',
      async () => {
        const id = await webhook();
        const delivery = await kept(
          `delivery of ${id}`,
          async () => (await asBackend('POST', `/admin/webhooks/${id}/test`, {})).id,
        );
        return { id, delivery_id: delivery };
      },
    ],
    ['/admin/config/versions/:version', async () => ({ version: '1' })],
    [
      '/admin/collections/:name',
      async () => ({
        name: await kept(
          'collection',
          async () => {
            await asBackend('POST', '/admin/collections', { name: 'known' });
            return 'known';
          },
          (name) => prisma.collection.count({ where: { appId: theirs, name } }),
        ),
      }),
    ],
    [
      '/data/:collection',
      async (user) => ({
        collection: await kept('data collection', async () => {
          // The app outlives this object: another may have made it.
          if ((await prisma.collection.count({ where: { appId: own, name: 'notes' } })) > 0) return 'notes';
          const body = { name: 'notes', access_mode: 'shared' };
          await answered('POST', '/admin/collections', service.app, { token: service.app.secretKey, body });
          return 'notes';
        }),
        id: await kept(
          'record',
          async () => (await asUser(user, 'PUT', '/data/notes/known', { body: { fields: { a: 1 } } })).id,
          (id) => prisma.record.count({ where: { appId: own, id } }),
        ),
      }),
    ],
    ['/files/:id', async (user) => ({ id: await file(user) })],
    ['/apps/:app_id/files/:id', async (user) => ({ app_id: own, id: await file(user) })],
    ['/apps/:app_id', async () => ({ app_id: own })],
    [
      '/console/apps/:app_id/members/:uid',
      async () => {
        const app_id = await teamApp();
        const uid = await kept(
          'member',
          async () => (await (await startedTeam()).newMember(app_id, 'viewer')).uid,
          (id) => prisma.teamMember.count({ where: { appId: app_id, uid: id } }),
        );
        return { app_id, uid };
      },
    ],
    [
      '/console/members/:uid',
      async () => ({
        uid: await kept(
          'team account',
          async () => (await (await startedTeam()).newMember(await teamApp(), 'viewer')).uid,
          (id) => prisma.user.count({ where: { id } }),
        ),
      }),
    ],
    [
      '/console/apps/:app_id',
      async () => {
        const app_id = await teamApp();
        const id = await kept(
          'invitation',
          async () => {
            const { invite, newEmail } = await startedTeam();
            return (await invite(app_id, { email: newEmail(), role: 'viewer' })).id;
          },
          (one) => prisma.invitation.count({ where: { appId: app_id, id: one } }),
        );
        return { app_id, id };
      },
    ],
  ];

  function file(user: TestUser): Promise<string> {
    return kept(
      `file of ${user.uid}`,
      async () => {
        const form = new FormData();
        form.append('visibility', 'public');
        form.append('file', new Blob(['hello']), 'a.txt');
        return (await asUser(user, 'POST', '/files', { form })).id;
      },
      (id) => prisma.file.count({ where: { appId: own, id } }),
    );
  }

  return {
    async user() {
      const alive =
        caller && (await service.call('GET', '/me', { token: caller.tokens.access_token })).status === 200;
      if (!caller || !alive) caller = await service.signUp();
      return caller;
    },
    async member() {
      const { consoleApp, ownerToken } = await startedTeam();
      return { token: await ownerToken(), appKey: consoleApp.appKey };
    },
    async params({ id, route }, user) {
      if (!route.path.includes('/:')) return {};
      const maker = makers.find(([path]) => route.path.startsWith(path));
      if (!maker) throw new Error(`no row is known for ${id}: ${route.path}`);
      return maker[1](user);
    },
  };
}

export function goodValues(chance: Chance, user: TestUser): Record<string, unknown> {
  return {
    email: chance.oneIn(3) ? user.email : `user-${chance.number(1e9)}@example.com`,
    password: user.password,
    first_name: 'Ada',
    last_name: null,
    photo_url: 'https://images.example.com/ada.jpg',
    refresh_token: user.tokens.refresh_token,
    code: String(chance.number(10 ** 6)).padStart(6, '0'),
    current_password: user.password,
    id_token: 'eyJhbGciOiJSUzI1NiJ9.e30.c2ln',
    identity_token: 'eyJhbGciOiJSUzI1NiJ9.e30.c2ln',
    authorization_code: 'a code',
    nonce: 'a nonce',
    token: `token-${chance.number(1e9)}`,
    provider: 'fcm',
    topic: 'news',
    notification: { title: 'Hello', body: 'How are you?' },
    data: { order: '1042' },
    platform: 'android',
    deep_link: 'https://app.example.com/sign-in?x=1',
    mail: { from_name: 'Example', texts: { sign_in: { de: { subject: 'Hallo', text: 'Dein Code' } } } },
    claims: { role: 'editor' },
    users: [{ email: `import-${chance.number(1e9)}@example.com`, claims: { role: oddValue(chance) } }],
    member_id: `member-${chance.number(1e9)}`,
    rate_limits: { client: 2 },
    fields: { title: 'Groceries', more: { n: 1 } },
    where: [
      {
        field: 'more.n',
        op: chance.pick(['==', 'in', '<', 'array-contains']),
        value: chance.pick([1, [1], 'x']),
      },
    ],
    orderBy: [{ field: 'title', direction: 'desc' }],
    limit: 2,
    startAfter: ['x'],
    name: `c${chance.number(1e9)}`,
    access_mode: 'owner',
    indexed_fields: ['a.b'],
    provider_a: { client_ids: { web: ['web.client'] } },
    files: { max_bytes: 1_000, allowed_types: ['image/*'] },
    // A public IP address: needs no DNS lookup, and nothing is sent.
    url: 'https://93.184.215.14/hooks',
    slug: `slug-${chance.number(1e9)}`,
    role: 'viewer',
    enabled: true,
    types: ['user.created'],
    description: null,
    since: '2026-01-01T00:00:00Z',
    until: '2026-01-02T00:00:00Z',
  };
}
