// The only way to the network: typed calls of the contract, sent with the member's access token. A call that finds the
// session ended, or requires a recent sign-in, waits until the member has signed in and is then sent again: both
// refusals precede every effect, so that repeating the call is safe, and a form keeps its input meanwhile.
import type { ErrorCode } from '@foyer/contract';
import { authorizedFetch } from '@foyer/sdk';
import {
  type CallSpec,
  type ConsoleClient,
  createConsole,
  type Perform,
  type RequestInput,
  urlOf,
} from '@foyer/sdk/console';
import { ApiProblem, problemIn, problemOf } from './api-problem.ts';
import { apiUrl, client } from './client.ts';
import { pageConfig } from './page-config.ts';
import { reportReachable, reportUnreachable } from './reachability.ts';
import { reportServiceTime } from './service-clock.ts';
import { type CredentialRequest, requestCredential, signOut } from './session.ts';

export type Api = ConsoleClient;

type Answer = { data: unknown; headers: Headers };

type Init = RequestInit & { headers: Headers };

type Send = (url: string, init: Init) => Promise<Answer>;

/** Sends the requests of one app with `send`. */
function performWith(appKey: string, send: Send) {
  return async (...[spec, input, { signal, headers }]: Parameters<Perform>): Promise<Answer> => {
    const [method = '', path = ''] = spec.route.split(' ');
    const own = { 'X-App-Key': appKey, ...(input.body && { 'Content-Type': 'application/json' }) };
    const init = {
      method,
      headers: new Headers({ ...headers, ...own }),
      body: JSON.stringify(input.body),
      signal: signal ?? null,
    };
    const url = apiUrl + pathOf(path, input);
    return spec.once ? once(send, spec, url, init) : send(url, init);
  };
}

/** Ids come from the URL of the page: one that would lead to another path names nothing. */
function pathOf(path: string, input: RequestInput<string>): string {
  try {
    return urlOf(path, input);
  } catch {
    throw new ApiProblem('request/not-found', 'There is no such page.', { status: 404 });
  }
}

/** The idempotency keys of calls that may have taken effect without an answer, and when each was last used. */
const unansweredKeys = new Map<string, { key: string; usedAt: number }>();

/** Later, the same call is one that the member makes again on purpose. */
const retryMilliseconds = 10 * 60_000;

/** Sends a call with an idempotency key; the same call after a lost answer has the same one, and takes effect once. */
async function once(send: Send, { once: refusals }: CallSpec, url: string, init: Init): Promise<Answer> {
  const { headers, body } = init;
  const call = JSON.stringify([url, headers.get('X-App-Key'), headers.get('If-Match'), body]);
  const known = unansweredKeys.get(call);
  const isRetry = known && Date.now() < known.usedAt + retryMilliseconds;
  const key = isRetry ? known.key : newIdempotencyKey();
  const keep = () => unansweredKeys.set(call, { key, usedAt: Date.now() });
  keep();
  headers.set('Idempotency-Key', key);
  const answer = await send(url, init).catch((problem: ApiProblem) => {
    // Any other refusal precedes the lookup of the key, or leaves the outcome open.
    if (refusals?.includes(problem.code)) unansweredKeys.delete(call);
    else keep();
    throw problem;
  });
  unansweredKeys.delete(call);
  return answer;
}

/** `crypto.randomUUID` is missing on insecure origins, such as `http://192.0.2.7:3000` in a local network. */
function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

const apis = new Map<string, Api>();

/** The calls for one app, as the signed-in member. */
export function apiOf(appKey: string): Api {
  const api = apis.get(appKey) ?? createConsole(performWith(appKey, sendAsMember));
  apis.set(appKey, api);
  return api;
}

/** The calls for the team's own app, as the signed-in member. */
export const consoleApi = apiOf(pageConfig.app_key);

/** A call for the team's own app whose answer is needed with its headers. */
export const requestConsole = performWith(pageConfig.app_key, sendAsMember);

/** The calls that need no session. */
export const publicApi = createConsole(
  performWith(pageConfig.app_key, (url, init) => exchange(fetch, url, init)),
);

/**
 * A deletion, which has succeeded too if there is nothing to delete any more: another member was first, or the answer to an
 * earlier attempt was lost.
 */
export async function deletion(call: Promise<void>, notFound: ErrorCode): Promise<void> {
  try {
    await call;
  } catch (error) {
    if (problemOf(error).code !== notFound) throw error;
  }
}

const fetchAsMember = authorizedFetch(client);

function sendAsMember(url: string, init: Init): Promise<Answer> {
  return withCredentials(() => exchange(fetchAsMember, url, init));
}

/** Runs `work`, and again once the member has given the credential that it lacks. */
export async function withCredentials<T>(work: () => Promise<T>): Promise<T> {
  for (const asked = new Set<CredentialRequest>(); ; ) {
    try {
      return await work();
    } catch (problem) {
      if ((problem as { code?: string }).code === 'auth/second-factor-required') await leaveForSecondFactor();
      const kind = credentialNeeded(problem as { code?: string });
      if (!kind || asked.has(kind) || !(await requestCredential(kind))) throw problem;
      asked.add(kind);
    }
  }
}

/**
 * The owners require a second factor, and the session was started without one: signing in again gives or enrolls it. The
 * sign-in page leads a member with a session back at once, so the session ends first.
 */
async function leaveForSecondFactor(): Promise<void> {
  const { pathname, search } = location;
  await signOut();
  location.assign(`/dashboard/sign-in?next=${encodeURIComponent(pathname + search)}`);
}

function credentialNeeded({ code }: { code?: string }): CredentialRequest | null {
  if (code === 'auth/requires-recent-login') return 'recent-sign-in';
  return client.auth.state.status === 'signedOut' ? 'sign-in' : null;
}

async function exchange(send: typeof fetch, url: string, init: Init): Promise<Answer> {
  let response: Response;
  let text: string;
  try {
    response = await send(url, init);
    text = await response.text();
    reportServiceTime(response.headers.get('Date'));
  } catch (error) {
    // The query cache recognizes its own cancellation.
    if (init.signal?.aborted) throw error;
    const problem = problemOf(error);
    if (problem.status === 0 && problem.code === 'client/network') reportUnreachable();
    throw problem;
  }
  const body = parsed(text);
  if (!response.ok || (text !== '' && body === undefined)) {
    const problem = problemIn(response, body);
    if (problem.code === 'client/bad-response') reportUnreachable();
    throw problem;
  }
  reportReachable();
  return { data: (body as { data?: unknown } | undefined)?.data, headers: response.headers };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
