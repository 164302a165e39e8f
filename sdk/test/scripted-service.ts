// A small HTTP server with the contract's token rules and scripted network failures.
// Its clock is `Date.now`, so that fake timers move client and service together, unless a test gives it another.
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Exchange, gate, heldUntil, type Mishap } from './mishaps.js';
import {
  type Answer,
  codeSent,
  data,
  errorBody,
  identity,
  refusal,
  sendAnswer,
  shown,
  type User,
} from './scripted-answers.js';
import { scriptedDevices } from './scripted-devices.js';
import { scriptedRecords } from './scripted-records.js';

export const refreshRoute = 'POST /api/v2/auth/token/refresh';
export const meRoute = 'GET /api/v2/me';
export const configRoute = 'GET /api/v2/config';
export const fromV1Route = 'POST /api/v2/auth/token/from-v1';
export const signOutRoute = 'POST /api/v2/auth/sign-out';

const repeatWindowMs = 30_000;

export interface SeenRequest {
  route: string;
  authorization: string | undefined;
  headers: IncomingMessage['headers'];
  body: Buffer;
  /** Time of the request on the manual clock. */
  atMs: number;
}

interface ServiceSession {
  id: string;
  uid: string;
  tokens: string[];
  spentAt: number[];
  ended: boolean;
}

type Input = Record<string, string>;

/** The code in every email. */
export const mailedCode = '123456';

export type ScriptedService = Awaited<ReturnType<typeof startScriptedService>>;

export async function startScriptedService() {
  const users = new Map<string, User>();
  const sessions: ServiceSession[] = [];
  const accessTokens = new Map<string, { session: ServiceSession; expiresAt: number }>();
  const requests: SeenRequest[] = [];
  const mishaps = new Map<string, Mishap[]>();
  const watchers = new Set<() => void>();
  const kept = scriptedRecords();
  const owned = scriptedDevices();
  let serial = 0;

  const service = {
    baseUrl: '',
    origin: '',
    requests,
    sessions,
    records: kept.records,
    accessTokenSeconds: 3_600,
    now: () => Date.now(),
    /** Whether calls that require a recent sign-in succeed; set by a reauthentication. */
    signedInRecently: true,
    devices: owned.devices,
    /** The valid v1 tokens with their users. */
    v1Tokens: new Map<string, string>(),
    config: { version: 1, values: {} as Record<string, unknown> },
    /** Sessions revoked because of a reused refresh token. */
    reuses: 0,
    next,
    /** Holds the response to the next request of the route until the returned function is called. */
    hold(route: string): () => void {
      const { opened, open } = gate();
      next(route, heldUntil(opened));
      return open;
    },
    always: new Map<string, Mishap>(),
    count: (route: string) => requests.filter((request) => request.route === route).length,
    seen,
    /** Rejects all access tokens issued so far with this code. */
    forgetAccessTokens() {
      accessTokens.clear();
    },
    expireAccessTokens() {
      for (const access of accessTokens.values()) access.expiresAt = 0;
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };

  function next(route: string, ...planned: Mishap[]): void {
    mishaps.set(route, [...(mishaps.get(route) ?? []), ...planned]);
  }

  /** Resolves when the service has received `count` requests of the route in all. */
  function seen(route: string, count = 1): Promise<void> {
    return new Promise((resolve) => {
      const check = () => {
        if (service.count(route) < count) return;
        watchers.delete(check);
        resolve();
      };
      watchers.add(check);
      check();
    });
  }

  const server = createServer(async (request, response) => {
    const seenRequest = await received(request);
    requests.push(seenRequest);
    const exchange: Exchange = {
      work: () => work(seenRequest),
      send: (answer) => sendAnswer(response, answer),
      cut: () => request.socket.destroy(),
    };
    const mishap = mishaps.get(seenRequest.route)?.shift() ?? service.always.get(seenRequest.route);
    for (const watcher of [...watchers]) watcher();
    if (mishap) await mishap(exchange);
    else exchange.send(exchange.work());
  });

  function work({ route, authorization, body, headers }: SeenRequest): Answer {
    const path = route.split(' ')[1]!;
    if (path.startsWith('/backend')) {
      return caller(authorization)
        ? { status: 200, body: body.toString('latin1') }
        : { status: 401, body: errorBody(refusalOf(authorization)) };
    }
    if (headers['x-app-key'] !== 'app_test') return refusal(401, 'request/invalid-app-key');
    const isForm = headers['content-type']?.startsWith('multipart/') ?? false;
    const input = body.length > 0 && !isForm ? JSON.parse(body.toString()) : {};
    if (/\/push\//.test(route)) {
      const uid = caller(authorization)?.uid ?? null;
      if (authorization && !uid) return refusal(401, refusalOf(authorization));
      return owned.answer(route, input, uid);
    }
    if (route === configRoute) return config(headers['if-none-match']);
    const open = openTo[path.slice('/api/v2/auth/'.length)];
    if (open && !authorization?.startsWith('Bearer at_')) return open(input);
    const session = caller(authorization);
    const ofRecord = (session || !authorization) && kept.answer(route, input, headers);
    if (ofRecord) return ofRecord;
    const ofPublicFile = !authorization && route.startsWith('GET ') && workOfFiles(route);
    if (ofPublicFile) return ofPublicFile;
    if (!session) return refusal(401, refusalOf(authorization));
    return open ? open(input) : workFor(session, route, input);
  }

  function config(known: string | undefined): Answer {
    const etag = `"${service.config.version}"`;
    const headers = { ETag: etag };
    return known === etag ? { status: 304, headers } : { ...data(200, service.config.values), headers };
  }

  /** The routes that require no session. */
  const openTo: Record<string, (input: Input) => Answer> = {
    'sign-up': signUp,
    'sign-in': signIn,
    'token/refresh': ({ refresh_token }) => refresh(refresh_token!),
    'token/from-v1': ({ v1_token }) => {
      const email = service.v1Tokens.get(v1_token!);
      service.v1Tokens.delete(v1_token!);
      return email ? signInByEmail(email, {}) : refusal(401, 'auth/invalid-token');
    },
    'provider-a': () => signInByEmail('from-provider-a@example.com', { is_new_user: true }),
    'provider-b': ({ first_name }) => signInByEmail('from-provider-b@example.com', {}, first_name),
    'email-code/send': () => codeSent,
    'email-code/verify': ({ email, code, first_name }) =>
      code === mailedCode ? signInByEmail(email!, {}, first_name) : refusal(422, 'auth/invalid-code'),
    'password/forgot': () => codeSent,
    'password/reset': resetPassword,
  };

  function signInByEmail(email: string, more: object, first_name: string | null = null): Answer {
    const user = users.get(email) ?? { uid: newUid(), email, first_name, last_name: null };
    users.set(email, { ...user, email_verified: true });
    const answer = begin(user.uid, 200) as Answer & { body: { data: object } };
    Object.assign(answer.body.data, more);
    return answer;
  }

  function resetPassword({ email, code, password }: Input): Answer {
    const user = users.get(email!);
    if (!user || code !== mailedCode) return refusal(422, 'auth/invalid-code');
    user.password = password!;
    for (const session of sessions) if (session.uid === user.uid) session.ended = true;
    return { status: 204 };
  }

  function workFor(session: ServiceSession, route: string, input: Record<string, unknown>): Answer {
    const user = [...users.values()].find(({ uid }) => uid === session.uid)!;
    const own = sessions.filter(({ uid, ended }) => uid === user.uid && !ended);
    const ending = /^DELETE \/api\/v2\/me\/sessions\/([^/?]+)$/.exec(route)?.[1];
    if (ending) {
      const target = own.find(({ id }) => id === ending);
      if (!target) return refusal(404, 'auth/session-not-found');
      target.ended = true;
      return { status: 204 };
    }
    if (route === signOutRoute) session.ended = true;
    if (route === 'POST /api/v2/auth/sign-out-all') for (const each of own) each.ended = true;
    if (session.ended) return { status: 204 };
    const demandsRecency = /^DELETE .*\/me$|\/me\/email$|^(POST|DELETE) .*\/me\/identities/.test(route);
    if (demandsRecency && !service.signedInRecently) return refusal(403, 'auth/requires-recent-login');
    const known = workOfFiles(route) ?? workOfAccount(session, user, route, input);
    if (known) return known;
    if (route === 'PATCH /api/v2/me') Object.assign(user, input);
    if (route.endsWith(' /api/v2/me')) return data(200, shown(user));
    if (route === 'GET /api/v2/me/loyalty') return data(200, { points: 0 });
    if (route.startsWith('GET /api/v2/me/loyalty/history'))
      return data(200, { items: [], next_cursor: null });
    if (route.startsWith('GET /api/v2/me/sessions')) return data(200, page(own, session, route));
    return refusal(404, 'request/not-found');
  }

  /** Minimal file routes; files.test.ts covers them against the real service. */
  function workOfFiles(route: string): Answer | undefined {
    if (!/ \/api\/v2\/files\b/.test(route)) return undefined;
    return route.startsWith('DELETE')
      ? { status: 204 }
      : data(route.startsWith('POST') ? 201 : 200, { id: '01FILE' });
  }

  function workOfAccount(
    session: ServiceSession,
    user: User,
    route: string,
    input: Record<string, unknown>,
  ): Answer | undefined {
    switch (route) {
      case 'DELETE /api/v2/me':
        users.delete(user.email);
        for (const each of sessions) if (each.uid === user.uid) each.ended = true;
        return { status: 204 };
      case 'PUT /api/v2/me/password':
        if (input.current_password !== user.password) return refusal(401, 'auth/invalid-credential');
        user.password = String(input.password);
        return { status: 204 };
      case 'POST /api/v2/auth/reauthenticate': {
        if (input.password !== user.password) return refusal(401, 'auth/invalid-credential');
        service.signedInRecently = true;
        const { refresh_token, ...answer } = tokensOf(session);
        return data(200, answer);
      }
      case 'POST /api/v2/me/email':
      case 'POST /api/v2/auth/email/verification/send':
        return codeSent;
      case 'POST /api/v2/auth/email/verification/confirm':
        if (input.code !== mailedCode) return refusal(422, 'auth/invalid-code');
        user.email_verified = true;
        return data(200, shown(user));
      case 'GET /api/v2/me/identities':
        return data(200, { items: [identity('provider-a')], next_cursor: null });
      case 'POST /api/v2/me/identities/provider-a':
      case 'POST /api/v2/me/identities/provider-b':
        return data(201, identity(route.split('/').at(-1)!));
      case 'DELETE /api/v2/me/identities/provider-a':
      case 'DELETE /api/v2/me/identities/provider-b':
        return { status: 204 };
      default:
        return undefined;
    }
  }

  function page(own: ServiceSession[], current: ServiceSession, route: string) {
    const query = new URLSearchParams(route.split('?')[1]);
    const from = Number(query.get('cursor') ?? 0);
    const to = from + Number(query.get('limit') ?? 25);
    const items = own.slice(from, to).map(({ id }) => ({ id, current: id === current.id }));
    return { items, next_cursor: to < own.length ? String(to) : null };
  }

  const newUid = () => `01USER${String(++serial).padStart(20, '0')}`;

  function signUp(input: Input): Answer {
    if (users.has(input.email ?? '')) return refusal(409, 'auth/email-already-in-use');
    const uid = newUid();
    const { email = '', password = '' } = input;
    users.set(email, { first_name: null, last_name: null, ...input, email, password, uid });
    return begin(uid, 201);
  }

  function signIn({ email, password }: Input): Answer {
    const user = users.get(email!);
    if (user?.password !== password) return refusal(401, 'auth/invalid-credential');
    return begin(user!.uid, 200);
  }

  function begin(uid: string, status: number): Answer {
    const id = `01SESSION${String(++serial).padStart(17, '0')}`;
    const session = { id, uid, tokens: [`rt_${id}_1`], spentAt: [], ended: false };
    sessions.push(session);
    return tokenAnswer(session, status);
  }

  function refresh(token: string): Answer {
    const session = sessions.find(({ tokens }) => tokens.includes(token));
    if (!session) return refusal(401, 'auth/invalid-token');
    if (session.ended) return refusal(401, 'auth/refresh-token-revoked');
    const generation = session.tokens.indexOf(token);
    const spentAt = session.spentAt[generation];
    if (spentAt === undefined) {
      session.spentAt[generation] = service.now();
      session.tokens.push(`rt_${session.id}_${generation + 2}`);
    } else if (service.now() - spentAt > repeatWindowMs) {
      session.ended = true;
      service.reuses += 1;
      return refusal(401, 'auth/refresh-token-revoked');
    }
    return tokenAnswer(session, 200);
  }

  function tokenAnswer(session: ServiceSession, status: number): Answer {
    return data(status, tokensOf(session));
  }

  function tokensOf(session: ServiceSession) {
    const access_token = `at_${++serial}`;
    accessTokens.set(access_token, {
      session,
      expiresAt: service.now() + service.accessTokenSeconds * 1_000,
    });
    return {
      access_token,
      token_type: 'Bearer',
      expires_in: service.accessTokenSeconds,
      refresh_token: session.tokens.at(-1),
      user: shown([...users.values()].find(({ uid }) => uid === session.uid)!),
    };
  }

  function caller(authorization: string | undefined): ServiceSession | undefined {
    const access = accessTokens.get(authorization?.replace('Bearer ', '') ?? '');
    return access && access.expiresAt > service.now() && !access.session.ended ? access.session : undefined;
  }

  function refusalOf(authorization: string | undefined): string {
    const access = accessTokens.get(authorization?.replace('Bearer ', '') ?? '');
    return access && !access.session.ended ? 'auth/token-expired' : 'auth/invalid-token';
  }

  // Prevents closing an idle connection on a busy machine just as it is reused.
  server.keepAliveTimeout = 300_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  service.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  service.baseUrl = `${service.origin}/api/v2`;
  return service;
}

async function received(request: IncomingMessage): Promise<SeenRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const { headers } = request;
  return {
    route: `${request.method} ${request.url}`,
    authorization: headers.authorization,
    headers,
    body: Buffer.concat(chunks),
    atMs: Date.now(),
  };
}
