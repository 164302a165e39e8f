// The API of the fake service: finds the route of a request, checks who calls, and processes it.
import type { ServerCode } from '../generated/error-codes.js';
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
import { fakeClock } from './fake-clock.js';
import { deviceHandlers } from './fake-devices.js';
import { fileHandlers } from './fake-files.js';
import { profileHandlers } from './fake-profile.js';
import { recordHandlers } from './fake-records.js';
import { appId, fakeSessions } from './fake-sessions.js';
import { signInHandlers } from './fake-sign-in.js';
import { queryOf, requireStorableText } from './fake-text.js';
import { fakeUsers } from './fake-users.js';

export interface ApiRequest {
  method: string;
  /** Below the base URL. */
  path: string;
  /** The query as it was sent. */
  search: string;
  header(name: string): string | undefined;
  body?: string | undefined;
  form?: Call['form'];
}

interface FakeApiOptions {
  baseUrl: string;
  appKey: string;
  nextCode: () => string;
  now?: () => number;
}

export function fakeApi({ baseUrl, appKey, nextCode, now = () => Date.now() }: FakeApiOptions) {
  const clock = fakeClock(now);
  const users = fakeUsers(clock, nextCode);
  const sessions = fakeSessions(clock, users, `${baseUrl}/apps/${appId}`);
  const devices = deviceHandlers(clock);
  const signIn = signInHandlers(clock, users, sessions, devices.unlinkFrom);
  const files = fileHandlers(clock, `${baseUrl}/apps/${appId}/files`);
  const records = recordHandlers(clock);
  const config = { version: 1, values: {} as Record<string, unknown> };

  /** What is deleted with an account; collections are declared with `on_user_delete: "delete"`, which is the default. */
  function deleteDataOf(uid: string): void {
    for (const collection of records.collections.values())
      deleteFrom(collection.records, ({ owner_uid }) => owner_uid === uid);
    deleteFrom(files.files, ({ info }) => info.owner_uid === uid);
    deleteFrom(devices.devices, ({ user_uid }) => user_uid === uid);
  }

  /** Complete: a route that the contract adds must be added here. */
  const handlers: Handlers<Route> = {
    ...signIn.handlers,
    ...profileHandlers(users, sessions, { link: signIn.link, deleteDataOf }),
    ...devices.handlers,
    ...files.handlers,
    ...records.handlers,
    'GET /config': forAnyone(({ header }) => {
      const headers = { ETag: `"${config.version}"` };
      if (header('if-none-match') === headers.ETag) return { status: 304, headers };
      return data(delivered(config.values), 200, headers);
    }),
  };
  const routes = (Object.keys(handlers) as Route[]).map((route) => {
    const [method, template] = route.split(' ') as [string, string];
    return { route, method, pattern: new RegExp(`^${template.replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`) };
  });

  /** Static segments come before parameters: `/data/:collection/query` is no record. */
  function routeOf(method: string, path: string) {
    const found = routes
      .filter(({ pattern }) => pattern.test(path))
      .sort((a, b) => paramsIn(a.route) - paramsIn(b.route));
    const own = found.find((each) => each.method === method);
    return { own, exists: found.length > 0 };
  }

  function process(request: ApiRequest): Answer {
    const content = /^\/apps\/[^/]+\/files\/([^/]+)\/content$/.exec(request.path)?.[1];
    if (content !== undefined && request.method === 'GET') {
      const { info, bytes } = files.at(content, new URLSearchParams(request.search));
      return { status: 200, body: bytes, headers: { 'Content-Type': info.content_type } };
    }
    const { own, exists } = routeOf(request.method, request.path);
    if (!own) throw new Refusal(exists ? 'request/method-not-allowed' : 'request/not-found');
    if (request.header('x-app-key') !== appKey) throw new Refusal('request/invalid-app-key');
    const handler = handlers[own.route];
    const authorization = request.header('authorization');
    const mayHaveUser = handler.access !== 'app-key' && authorization !== undefined;
    const session = mayHaveUser ? sessions.live(authorization) : undefined;
    if (handler.access === 'signed-in' && !session) throw new Refusal('auth/invalid-token');
    const query = queryOf(request.search);
    const groups = own.pattern.exec(request.path)?.groups ?? {};
    const params = Object.fromEntries(
      Object.entries(groups).map(([key, text]) => [key, decodeURIComponent(text)]),
    );
    requireStorableText(params, 'path');
    requireIds(params);
    const { header, form } = request;
    let body: Call['body'] | undefined;
    return handler.answer({
      params,
      query,
      header,
      form,
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
    signIn,
    devices: devices.devices,
    files: files.files,
    records,
    config,
    routeOf: (method: string, path: string): Route | undefined => routeOf(method, path).own?.route,
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

function deleteFrom<T>(map: Map<string, T>, isDeleted: (value: T) => boolean): void {
  for (const [key, value] of map) if (isDeleted(value)) map.delete(key);
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
  requireStorableText(body, 'body');
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
