// The API of the fake service: finds the route of a request, checks who calls, and processes it. The whole service is what
// `foyer dev` runs.
import type { ServerCode } from '../generated/error-codes.js';
import type { Factors, SignInMethods } from '../generated/models.js';
import type { Route } from '../generated/routes.js';
import {
  type Answer,
  type Call,
  data,
  errorAnswer,
  forAnyone,
  type Handlers,
  Refusal,
} from './fake-answer.js';
import { type FakeClock, fakeClock } from './fake-clock.js';
import { hasTag } from './fake-etag.js';
import { fakePasskeys } from './fake-passkeys.js';
import { profileHandlers } from './fake-profile.js';
import { recordHandlers } from './fake-records.js';
import { fakeRedirects } from './fake-redirects.js';
import { fakeSecondFactor } from './fake-second-factor.js';
import type { FakeProvider } from './fake-service-types.js';
import { appId, fakeSessions } from './fake-sessions.js';
import { signInHandlers } from './fake-sign-in.js';
import { exportHandlers } from './fake-user-export.js';
import { fakeUsers } from './fake-users.js';

export interface ApiRequest {
  method: string;
  /** The path below the base URL. */
  path: string;
  /** The query as it was sent. */
  search: string;
  header(name: string): string | undefined;
  body?: string | undefined;
}

interface FakeApiOptions {
  baseUrl: string;
  appKey: string;
  nextCode: () => string;
  now?: () => number;
  secondFactor?: Factors['rule'] | undefined;
  providers?: Record<string, FakeProvider> | undefined;
  /** Further endpoints. */
  more?: (clock: FakeClock) => Partial<Handlers<Route>>;
}

export function fakeApi({
  baseUrl,
  appKey,
  nextCode,
  now = () => Date.now(),
  secondFactor: rule = 'optional',
  providers = {},
  more,
}: FakeApiOptions) {
  const clock = fakeClock(now);
  const users = fakeUsers(clock, nextCode);
  const setting = { rule };
  const sessions = fakeSessions(clock, users, `${baseUrl}/apps/${appId}`, setting);
  const passkeys = fakePasskeys(clock, users, sessions);
  const secondFactor = fakeSecondFactor(clock, { users, sessions, setting });
  const redirects = fakeRedirects(clock, providers);
  const signIn = signInHandlers(clock, users, sessions, { passkeys, secondFactor, redirects, providers });
  const records = recordHandlers(clock);
  const config = { version: 1, values: {} as Record<string, unknown> };

  /** What is deleted with an account; collections are declared with `on_user_delete: "delete"`, which is the default. */
  function deleteDataOf(uid: string): void {
    for (const collection of records.collections.values())
      for (const [id, { owner_uid }] of collection.records)
        if (owner_uid === uid) collection.records.delete(id);
  }

  const handlers: Partial<Handlers<Route>> = {
    ...signIn.handlers,
    ...passkeys.handlers,
    ...secondFactor.handlers,
    ...redirects.handlers,
    ...profileHandlers(users, sessions, { ...signIn, redirects, deleteDataOf }),
    ...records.handlers,
    ...exportHandlers(clock, sessions),
    'GET /config': forAnyone(({ header }) => {
      const headers = { ETag: `"${config.version}"` };
      if (hasTag(header('if-none-match'), headers.ETag)) return { status: 304, headers };
      return data(delivered(config.values), 200, headers);
    }),
    'GET /auth/methods': forAnyone(() => data(methodsOf(secondFactor.setting.rule, providers))),
    ...more?.(clock),
  };
  const routes = (Object.keys(handlers) as Route[]).map((route) => {
    const [method, template] = route.split(' ') as [string, string];
    return { route, method, pattern: new RegExp(`^${template.replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`) };
  });

  /** Static segments come before parameters: `/data/:collection/query` is no record. */
  function routeOf(method: string, path: string) {
    return routes
      .filter((each) => each.method === method && each.pattern.test(path))
      .sort((a, b) => paramsIn(a.route) - paramsIn(b.route))[0];
  }

  function process(request: ApiRequest): Answer {
    const own = routeOf(request.method, request.path);
    const handler = own && handlers[own.route];
    if (!handler) throw new Refusal('request/not-found', {}, unknownCall(request));
    if (request.header('x-app-key') !== appKey) throw new Refusal('request/invalid-app-key');
    const authorization = request.header('authorization');
    const mayHaveUser = handler.access !== 'app-key' && authorization !== undefined;
    const session = mayHaveUser ? sessions.live(authorization) : undefined;
    if (handler.access === 'signed-in' && !session) throw new Refusal('auth/invalid-token');
    const query = new URLSearchParams(request.search);
    const groups = own.pattern.exec(request.path)?.groups ?? {};
    const params = Object.fromEntries(
      Object.entries(groups).map(([key, text]) => [key, decodeURIComponent(text)]),
    );
    requireIds(params);
    const { header } = request;
    let body: Call['body'] | undefined;
    return handler.answer({
      params,
      query,
      header,
      session,
      /** Read after the access check of a collection. */
      get body() {
        body ??= parsed(request.body);
        return body;
      },
    });
  }

  return {
    clock,
    users,
    sessions,
    secondFactor,
    redirects,
    signIn,
    records,
    config,
    routeOf: (method: string, path: string): Route | undefined => routeOf(method, path)?.route,
    answer(request: ApiRequest): Answer {
      try {
        return process(request);
      } catch (error) {
        if (error instanceof Refusal) return errorAnswer(error);
        throw error;
      }
    },
  };
}

/** Everything is enabled. */
function methodsOf(second_factor: Factors['rule'], providers: Record<string, FakeProvider>): SignInMethods {
  return {
    sign_up: 'open',
    password: { min_characters: 8, max_bytes: 1_024, refuses_common: false },
    email_code: { digits: 6, magic_link: false },
    passkeys: true,
    second_factor,
    providers: [
      {
        ...{ id: 'provider-a', kind: 'provider-a', name: 'Google' },
        ...{ client_id: 'fake.apps.googleusercontent.com', redirect: true },
      },
      {
        ...{ id: 'provider-b', kind: 'provider-b', name: 'Apple' },
        ...{ client_id: 'com.example.fake', redirect: true },
      },
      ...Object.entries(providers).map(([id, { name, kind = 'oidc' }]) => ({
        ...{ id, kind, name },
        client_id: `${id}-client`,
        redirect: true,
      })),
    ],
  };
}

function unknownCall({ method, path }: ApiRequest): string {
  return `The fake service has no ${method} ${path}; test it against the whole service, which \`foyer dev\` starts.`;
}

const ulid = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/** Refuses what can be no id; the handlers of records check their own. */
function requireIds({ id, collection }: Record<string, string>): void {
  if (id === undefined || collection !== undefined || ulid.test(id)) return;
  throw new Refusal('request/validation-failed', { id: ['must be a ULID'] });
}

const paramsIn = (route: string) => route.split(':').length;

function parsed(text = ''): Record<string, unknown> {
  if (text === '') return {};
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new Refusal('request/malformed-json' satisfies ServerCode);
  }
  if (typeof body === 'object' && body !== null && !Array.isArray(body))
    return body as Record<string, unknown>;
  throw new Refusal('request/validation-failed', { body: ['must be an object'] });
}

/** Objects and lists are delivered as JSON text. */
function delivered(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'object' && value !== null ? JSON.stringify(value) : value,
    ]),
  );
}
