// The requests of the browser's `cookieSession`: each is one of the service's endpoints that issue or end tokens, whose
// refresh token stays here.
import { isFoyerError } from '../errors.js';
import type { ServerCode } from '../generated/error-codes.js';
import type { TokenAnswer, User } from '../generated/models.js';
import { parsed } from '../http/json.js';
import { send } from '../http/send.js';
import type { Sender } from '../session/core.js';
import { assertTokens, isDenied, refreshOnce, refusesToken } from '../session/refresh.js';
import { readBody } from './read-body.js';
import { isJson, isSameOrigin } from './same-origin.js';
import type { CookiePart, PresentedSession, SessionTokens } from './session-cookies.js';
import { claimedSessionId, newestTokens, type Sessions, tokensOf } from './session-tokens.js';

const routes =
  /\/(sign-up|sign-in|provider-[ab]|providers\/[^/]+|email-code\/verify|passkey\/verify|second-factor|second-factor\/enroll\/confirm|token\/from-v1|token\/refresh|sign-out|sign-out-all)\/?$/;
/** The headers of the browser that are passed on to the service. */
const passedOn = [
  'Accept-Language',
  'User-Agent',
  'X-Client-Device',
  'X-Client-Version',
  'X-Code-Flow',
  'X-Device-Token',
];
const invalid = {};

type EndRoute = 'POST /auth/sign-out' | 'POST /auth/sign-out-all';
type SignInRoute = 'POST /auth/sign-in';

/** One request of a browser, and what it needs to be answered. */
interface Asked {
  sessions: Sessions;
  /** Sends to the service for this browser. */
  sender: Sender;
  body: { refresh_token?: unknown };
  /** The access token that the page holds. */
  held: string | undefined;
  presented: PresentedSession | null;
}

export async function answerRequest(
  sessions: Sessions,
  request: Request,
  clientIp?: string | null,
): Promise<Response> {
  const { headers } = request;
  if (request.method !== 'POST') {
    const response = refusal(405, 'request/method-not-allowed', 'Send a POST request.');
    response.headers.set('Allow', 'POST');
    return response;
  }
  // Before anything is read: another site's page, which the browser sends the cookies for, learns and changes nothing.
  if (!isSameOrigin(headers, sessions.origin)) {
    return refusal(403, 'request/origin-not-allowed', `Only pages of ${sessions.origin} may call this.`);
  }
  if (!isJson(headers)) return refusal(415, 'request/unsupported-media-type', 'Send application/json.');
  const route = routes.exec(new URL(request.url).pathname)?.[1];
  if (!route) return refusal(404, 'request/not-found', 'There is no such endpoint.');
  const text = await readBody(request).catch(() => undefined);
  // The browser has disconnected.
  if (text === undefined) return refusal(408, 'request/timeout', 'The body is incomplete.');
  if (text === null) return refusal(413, 'request/too-large', 'The body is too large.');
  const body = parsed<Asked['body']>(text, invalid);
  if (body === invalid) return refusal(400, 'request/malformed-json', 'The body is not JSON.');
  const asked: Asked = {
    sessions,
    sender: senderFor(sessions.sender, headers, clientIp),
    body,
    held: /^Bearer (\S+)$/.exec(headers.get('Authorization') ?? '')?.[1],
    presented: sessions.cookies.read(headers.get('Cookie')),
  };
  if (route === 'token/refresh') return answerRefresh(asked);
  if (route.startsWith('sign-out')) return answerSignOut(asked, `POST /auth/${route}` as EndRoute);
  return answerSignIn(asked, `POST /auth/${route}` as SignInRoute);
}

function senderFor(sender: Sender, headers: Headers, clientIp?: string | null): Sender {
  const named = passedOn.flatMap((name) => (headers.has(name) ? [[name, headers.get(name)!]] : []));
  if (typeof clientIp === 'string' && clientIp) named.push(['X-Forwarded-For', clientIp]);
  const { options } = sender;
  return {
    ...sender,
    options: { ...options, headers: { ...options.headers, ...Object.fromEntries(named) } },
  };
}

/** Passes a credential on, and keeps the refresh token of the response. */
async function answerSignIn(asked: Asked, route: SignInRoute): Promise<Response> {
  const { sessions, sender, body, held, presented } = asked;
  try {
    const data = assertTokens(await send<TokenAnswer>(sender, route, { body }, {}, held));
    const tokens = tokensOf(data);
    if (presented && presented.sid !== tokens.sid) {
      sessions.ended.add(presented.sid);
      // The session would stay active at the service. A failure to end it does not fail the sign-in.
      await end(sessions, sender, presented).catch(() => {});
    }
    const response = answer(200, { data: { ...data, refresh_token: handleOf(tokens) } });
    if (sender.device) response.headers.set('X-Device-Token', sender.device);
    return withCookies(response, sessions.cookies.set(tokens));
  } catch (error) {
    return refused(error);
  }
}

/** Answers with an access token that the page does not have, which a page of the server may have renewed meanwhile. */
async function answerRefresh({ sessions, sender, body, held, presented }: Asked): Promise<Response> {
  const { cookies, ended } = sessions;
  // The page belongs to a session that has ended in this browser: another user has signed in, or no user is.
  const hasEnded = () => refusal(401, 'auth/refresh-token-revoked', 'The session has ended.');
  const { refresh_token: handle } = body;
  if (!presented || typeof handle !== 'string' || presented.sid !== handle.split('.')[0]) return hasEnded();
  try {
    const known = newestTokens(sessions, presented, held);
    const user = known && (await userOf(sender, known));
    const tokens = known && user ? { ...known, user } : await refresh(sessions, sender, presented);
    if (ended.has(presented.sid)) return hasEnded();
    const data = {
      access_token: tokens.accessToken,
      token_type: 'Bearer',
      expires_in: Math.floor((tokens.expiresAtMs - Date.now()) / 1_000),
      refresh_token: handleOf(tokens),
      user: tokens.user,
    };
    return withCookies(answer(200, { data }), cookies.set(tokens, partsOf(presented)));
  } catch (error) {
    if (ended.has(presented.sid)) return hasEnded();
    // The page removes the `user` cookie itself; if it were removed here, the page would report a sign-out in another tab.
    return withCookies(refused(error), isDenied(error) ? cookies.clear(['refresh', 'access']) : []);
  }
}

/** Ends the session of the page, which may no longer be that of the cookies. */
async function answerSignOut(asked: Asked, route: EndRoute): Promise<Response> {
  const { sessions, sender, held, presented } = asked;
  const { cookies, chains } = sessions;
  if (held && claimedSessionId(held) !== presented?.sid) {
    return send(sender, route, {}, {}, held).then(() => answer(204, null), refused);
  }
  try {
    if (presented) {
      await end(sessions, sender, presented, route, held);
      sessions.ended.add(presented.sid);
    }
    return withCookies(answer(204, null), cookies.clear());
  } catch (error) {
    if (isDenied(error)) return withCookies(refused(error), cookies.clear());
    // Signed out in this browser; the next attempt needs the refresh token.
    const newest = presented && chains.successorOf(presented);
    const left = newest ? cookies.set(newest, ['refresh']) : [];
    return withCookies(refused(error), [...left, ...cookies.clear(['access', 'user'])]);
  }
}

/** Ends a session at the service. One that has ended already is no error, except where others may remain. */
async function end(
  sessions: Sessions,
  sender: Sender,
  presented: PresentedSession,
  route: EndRoute = 'POST /auth/sign-out',
  held = newestTokens(sessions, presented)?.accessToken,
): Promise<void> {
  try {
    if (held) return await send<void>(sender, route, {}, {}, held);
  } catch (error) {
    if (!refusesToken(error)) throw error;
  }
  try {
    const { accessToken } = await refresh(sessions, sender, presented);
    await send<void>(sender, route, {}, {}, accessToken);
  } catch (error) {
    if (!isDenied(error) || route === 'POST /auth/sign-out-all') throw error;
  }
}

function refresh({ chains }: Sessions, sender: Sender, presented: PresentedSession): Promise<SessionTokens> {
  return chains.refresh(presented, async (token) => tokensOf(await refreshOnce(sender, token)));
}

/** The user of an access token; undefined when the service refuses the token. */
async function userOf(sender: Sender, { accessToken }: SessionTokens): Promise<User | undefined> {
  try {
    return await send<User>(sender, 'GET /me', {}, {}, accessToken);
  } catch (error) {
    if (refusesToken(error)) return undefined;
    throw error;
  }
}

/** What the page has in place of the refresh token: the id of its session, and what tells one response from another. */
function handleOf({ sid }: SessionTokens): string {
  return `${sid}.${crypto.randomUUID()}`;
}

/** A page that signed out while offline may still need tokens to end the session; without `user` it remains signed out. */
function partsOf({ uid }: PresentedSession): readonly CookiePart[] | undefined {
  return uid ? undefined : ['refresh', 'access'];
}

function answer(status: number, body: object | null): Response {
  const headers = { 'Cache-Control': 'no-store', Vary: 'Cookie, Origin', 'Content-Type': 'application/json' };
  return new Response(body && JSON.stringify(body), { status, headers });
}

function withCookies(response: Response, setCookies: readonly string[]): Response {
  for (const cookie of setCookies) response.headers.append('Set-Cookie', cookie);
  return response;
}

function refusal(status: number, code: ServerCode, message: string): Response {
  return answer(status, { error: { code, message, fields: {} } });
}

/** The refusal of the service; without one, that it is unavailable. Anything else is a defect. */
function refused(error: unknown): Response {
  if (!isFoyerError(error)) throw error;
  const { status, code, fields, retryAfterMs } = error;
  // A field of a wrong type, with which nothing was sent.
  if (code === 'client/invalid-argument') {
    return refusal(422, 'request/validation-failed', 'The request is not valid.');
  }
  const isOfService = status >= 400 && !code.startsWith('client/');
  const response = isOfService
    ? answer(status, { error: { code, message: 'The service refused the request.', fields } })
    : refusal(503, 'request/unavailable', 'The service cannot be reached.');
  if (retryAfterMs) response.headers.set('Retry-After', `${retryAfterMs / 1_000}`);
  return response;
}
