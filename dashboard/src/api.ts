// The only way to the network: typed calls of the contract, sent with the member's access token. A call that finds the
// session ended, or requires a recent sign-in, waits until the member has signed in and is then sent again: both
// refusals precede every effect, so that repeating the call is safe, and a form keeps its input meanwhile.

import { routes } from 'virtual:contract-extract';
import type { contract, ErrorCode } from '@foyer/contract';
import type { InitClientReturn } from '@ts-rest/core';
import { type ApiProblem, problemIn, problemOf } from './api-problem.ts';
import { type CallInput, initOf, pathOf, type RouteInBrief } from './api-request.ts';
import { apiUrl, client } from './client.ts';
import { pageConfig } from './page-config.ts';
import { reportReachable, reportUnreachable } from './reachability.ts';
import { reportServiceTime } from './service-clock.ts';
import { type CredentialRequest, requestCredential } from './session.ts';

type Answer = { status: number; body: unknown; headers: Headers };

export type Api = InitClientReturn<typeof contract, { baseUrl: string }>;

type Send = (path: string, init: RequestInit) => Promise<Answer>;

function clientFor(appKey: string, send: Send): Api {
  const call =
    (route: RouteInBrief) =>
    async (input: CallInput = {}) => {
      const init = initOf(route, input);
      init.headers.set('X-App-Key', appKey);
      const path = apiUrl + pathOf(route, input);
      return route.idempotencyKey ? once(send, route, path, init) : send(path, init);
    };
  const groups = Object.entries(routes).map(([group, members]) => [
    group,
    Object.fromEntries(Object.entries(members).map(([name, route]) => [name, call(route)])),
  ]);
  return Object.fromEntries(groups) as Api;
}

/** The idempotency keys of calls that may have taken effect without an answer, and when each was last used. */
const unansweredKeys = new Map<string, { key: string; usedAt: number }>();

/** Later, the same call is one that the member makes again on purpose. */
const retryMilliseconds = 10 * 60_000;

/** Sends a call with an idempotency key; the same call after a lost answer has the same one, and takes effect once. */
async function once(
  send: Send,
  { errors }: RouteInBrief,
  path: string,
  init: RequestInit & { headers: Headers },
): Promise<Answer> {
  const { headers, body } = init;
  const call = JSON.stringify([path, headers.get('X-App-Key'), headers.get('If-Match'), body]);
  const known = unansweredKeys.get(call);
  const isRetry = known && Date.now() < known.usedAt + retryMilliseconds;
  const key = isRetry ? known.key : newIdempotencyKey();
  const keep = () => unansweredKeys.set(call, { key, usedAt: Date.now() });
  keep();
  headers.set('Idempotency-Key', key);
  const answer = await send(path, init).catch((problem: ApiProblem) => {
    // Any other refusal precedes the lookup of the key, or leaves the outcome open.
    if (errors?.includes(problem.code)) unansweredKeys.delete(call);
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
  const api = apis.get(appKey) ?? clientFor(appKey, sendAsMember);
  apis.set(appKey, api);
  return api;
}

/** The calls for the team's own app, as the signed-in member. */
export const consoleApi = apiOf(pageConfig.app_key);

/** The calls that need no session. */
export const publicApi = clientFor(pageConfig.app_key, (path, init) => exchange(fetch, path, init));

type Success = { status: 200 | 201 | 202 | 207; body: { data: unknown } } | { status: 204 };
export type DataOf<Response> =
  Extract<Response, Success> extends infer Found
    ? Found extends { body: { data: infer Data } }
      ? Data
      : undefined
    : never;

/** The `data` of the response; a refusal rejects with an `ApiProblem`. */
export async function dataOf<R extends { status: number; body: unknown }>(
  call: Promise<R>,
): Promise<DataOf<R>> {
  return (await answerOf(call)).data;
}

/** As `dataOf`, with the headers of the response. */
export async function answerOf<R extends { status: number; body: unknown }>(
  call: Promise<R>,
): Promise<{ data: DataOf<R>; status: number; headers: Headers }> {
  const { status, body, headers } = (await call) as unknown as Answer;
  return { data: (body as { data?: unknown } | undefined)?.data as DataOf<R>, status, headers };
}

/**
 * A deletion, which has succeeded too if there is nothing to delete any more: another member was first, or the answer to an
 * earlier attempt was lost.
 */
export async function deletion(
  call: Promise<{ status: number; body: unknown }>,
  notFound: ErrorCode,
): Promise<void> {
  try {
    await call;
  } catch (error) {
    if (problemOf(error).code !== notFound) throw error;
  }
}

async function sendAsMember(path: string, init: RequestInit): Promise<Answer> {
  for (const asked = new Set<CredentialRequest>(); ; ) {
    try {
      return await exchange(client.fetch, path, init);
    } catch (problem) {
      const kind = credentialNeeded(problem as ApiProblem);
      if (!kind || asked.has(kind) || !(await requestCredential(kind))) throw problem;
      asked.add(kind);
    }
  }
}

function credentialNeeded({ code }: ApiProblem): CredentialRequest | null {
  if (code === 'auth/requires-recent-login') return 'recent-sign-in';
  return client.auth.state.status === 'signedOut' ? 'sign-in' : null;
}

async function exchange(send: typeof client.fetch, path: string, init: RequestInit): Promise<Answer> {
  let response: Response;
  let text: string;
  try {
    response = await send(path, init);
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
  return { status: response.status, body, headers: response.headers };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
