// `fakeService()`: the service in memory, behind a `fetch`, for the unit tests of apps.
import { type Answer, Refusal } from './fake-answer.js';
import { fakeApi } from './fake-api.js';
import { fakeNetwork } from './fake-network.js';
import { fakePasskeyDevice } from './fake-passkeys.js';
import type { FakeRequest, FakeService, FakeServiceOptions } from './fake-service-types.js';
import { fakeIdToken } from './fake-sign-in.js';
import type { FakeUser } from './fake-users.js';

/**
 * Returns a service in memory, for unit tests. It has what most tests of apps call: every way to sign in, sessions with
 * one-time refresh tokens, the profile, remote config and records by id, with failures of the network. Any other call is
 * refused with a sentence that says so; `foyer dev` starts the whole service for those.
 *
 * @example
 * const service = fakeService({ collections: { notes: 'owner' } });
 * service.addUser({ email: 'ada@example.com', password: 'correct horse' });
 * const client = createClient({ ...service.options, storage: memoryStorage() });
 * await client.auth.signIn({ email: 'ada@example.com', password: 'correct horse' });
 * service.fail('GET /me', 'offline'); // The client's retry succeeds.
 */
export function fakeService({
  baseUrl: givenUrl = 'https://foyer.test/api/v2',
  appKey = 'pk_fake',
  collections = {},
  config = {},
  secondFactor,
  providers,
}: FakeServiceOptions = {}): FakeService {
  const baseUrl = givenUrl.replace(/\/+$/, '');
  let codes = 0;
  const api = fakeApi({
    baseUrl,
    appKey,
    nextCode: () => String(402_718 + codes++),
    secondFactor,
    providers,
  });
  const network = fakeNetwork();
  const requests: FakeRequest[] = [];
  const { users, sessions, records, clock } = api;
  for (const [name, mode] of Object.entries(collections)) records.define(name, mode);
  Object.assign(api.config.values, config);

  const fetchFake: typeof fetch = async (input, init = {}) => {
    // As `fetch` does: what `init` has replaces what the `Request` has.
    const given = input instanceof Request ? input : undefined;
    const url = String(given?.url ?? input);
    if (!url.startsWith(`${baseUrl}/`))
      throw new TypeError(`The fake service answers at ${baseUrl}, not at ${url}.`);
    const [path = '', search = ''] = url.slice(baseUrl.length).split('?');
    const method = (init.method ?? given?.method ?? 'GET').toUpperCase();
    const headers = Object.fromEntries(new Headers(init.headers ?? given?.headers));
    const content = init.body ?? (given && (await contentOf(given)));
    const body = typeof content === 'string' ? content : undefined;
    const request = {
      route: api.routeOf(method, path),
      method,
      path: url.slice(baseUrl.length),
      headers,
      body: body && jsonOrText(body),
      status: 0,
    };
    requests.push(request);
    const fault = service.offline ? 'offline' : network.take(request.route);
    const header = (name: string) => headers[name];
    const work = () => api.answer({ method, path, search, header, body });
    const answer = await network.transmit(fault, work, init.signal ?? given?.signal);
    request.status = answer.status;
    return responseOf(answer, `req_fake_${requests.length}`);
  };

  function existing(email: string): FakeUser {
    const found = users.byEmail(email);
    if (found) return found;
    throw new TypeError(`The fake service has no user ${email}.`);
  }

  function endSessions(email: string): void {
    sessions.endAll(existing(email).user.uid);
  }

  function declared(collection: string) {
    const found = records.collections.get(collection);
    if (found) return found;
    throw new TypeError(`The fake service has no collection ${collection}: call defineCollection.`);
  }

  const service: FakeService = {
    options: { baseUrl, appKey, fetch: fetchFake },
    requests,
    requestsTo: (route) => requests.filter((request) => request.route === route),

    offline: false,
    fail: (route, fault, times = 1) => network.plan(route, fault, times),
    recover() {
      service.offline = false;
      network.clear();
    },

    now: () => new Date(clock.now()),
    advance: (ms) => clock.advance(ms),

    get users() {
      return users.all().map(({ user }) => ({ ...user }));
    },
    addUser: (user) => ({ ...users.add(user).user }),
    updateUser(email, { disabled, claims, points }) {
      const found = existing(email);
      if (disabled !== undefined) found.disabled = disabled;
      if (disabled) endSessions(email);
      if (claims) found.claims = claims;
      if (points !== undefined) {
        const balance = found.entries.reduce((sum, entry) => sum + entry.points, points);
        if (balance < 0) throw new Refusal('loyalty/insufficient-points');
        const entry = { id: clock.newId(), points, description: 'Points', created_at: clock.timestamp() };
        found.entries.push(entry);
      }
    },
    endSessions,
    code(email) {
      const code = users.codeFor(email);
      if (code === undefined) throw new TypeError(`The fake service has emailed no code to ${email}.`);
      return code;
    },
    totp(email) {
      const code = api.secondFactor.codeFor(existing(email));
      if (code === undefined) throw new TypeError(`${email} has no authenticator app.`);
      return code;
    },
    passkeyDevice: () => fakePasskeyDevice(clock.newId),
    idToken(provider, { email, nonce, subject = `fake-${email}`, emailVerified = true }) {
      return fakeIdToken(provider, { sub: subject, email, email_verified: emailVerified, nonce });
    },
    returnFromProvider: (url, { email, subject = `fake-${email}`, emailVerified = true }) =>
      api.redirects.returnFrom(url, { sub: subject, email, email_verified: emailVerified }),
    cancelAtProvider: (url) => api.redirects.cancel(url),
    addV1Token: (token, email) => void users.v1Tokens.set(token, existing(email).user.uid),

    setConfig(values) {
      api.config.version += 1;
      api.config.values = values;
    },
    defineCollection: (name, mode) => records.define(name, mode),
    addRecord(collection, fields, { id = clock.newId(), ownerUid = null } = {}) {
      declared(collection);
      // As JSON, like the fields of a request.
      return records.write(collection, id, JSON.parse(JSON.stringify(fields)), ownerUid);
    },
    records: (collection) => [...declared(collection).records.values()],
  };
  return service;
}

/** Undefined for a request without a body. */
async function contentOf(request: Request): Promise<string | undefined> {
  return (await request.text()) || undefined;
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function responseOf({ status, body, headers }: Answer, requestId: string): Response {
  const isJson = typeof body === 'object';
  const content = isJson ? JSON.stringify(body) : (body as BodyInit | undefined);
  return new Response(content ?? null, {
    status,
    headers: { ...(isJson && { 'Content-Type': 'application/json' }), 'X-Request-Id': requestId, ...headers },
  });
}
