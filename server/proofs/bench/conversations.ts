// The requests of the connections: each cycles through users of its own, so that refreshes never contend for a session,
// as many devices behind one proxy would. A session may be refreshed 64 times in 30 seconds, so one user each is not
// enough.
import { emailOf, password, usersPerApp } from './database.js';
import type { Conversation } from './load.js';
import type { Target } from './targets.js';

export const connections = 32;
export const usersPerConnection = Math.floor(usersPerApp / connections);
/** A prime, so that every user is reached once. */
const stride = 7_919;
/** Access tokens that each connection cycles through in GET /me. */
export const readersPerConnection = 16;
/** New access tokens of each connection before GET /me with fresh ones: together fewer than the service remembers. */
export const freshPerConnection = 560;

export function refreshConversations(target: Target): Conversation[] {
  return each(target, (users) => {
    const turn = goRound(users);
    let user = -1;
    return {
      next() {
        user = turn();
        return post(target, target.paths.refresh, { refresh_token: target.refreshTokens[user] });
      },
      answered(body) {
        const { data } = JSON.parse(body);
        target.refreshTokens[user] = data.refresh_token;
        target.accessTokens[user] = data.access_token;
      },
    };
  });
}

/** The users have refreshed before and therefore have an access token. */
export function meConversations(target: Target): Conversation[] {
  return each(target, (users) => {
    const requests = users.slice(0, readersPerConnection).map((user) => {
      const token = target.accessTokens[user];
      if (token === undefined) throw new Error('a user reads itself before its first refresh');
      return get(target, target.paths.me, `Authorization: Bearer ${token}\r\n`);
    });
    return { next: goRound(requests) };
  });
}

/** Every call has a token that was never sent before. */
export function freshMeConversations(target: Target): Conversation[] {
  return each(target, (users) => {
    const turn = goRound(users.slice(0, freshPerConnection));
    return {
      next: () => get(target, target.paths.me, `Authorization: Bearer ${target.accessTokens[turn()]}\r\n`),
    };
  });
}

/** The clients have the current values already. */
export function configConversations(target: Target): Conversation[] {
  const request = get(target, target.paths.config, `If-None-Match: ${target.configTag}\r\n`);
  return each(target, () => ({ status: 304, next: () => request }));
}

export function keySetConversations(target: Target): Conversation[] {
  const request = get(target, target.paths.keySet, '');
  return each(target, () => ({ next: () => request }));
}

export function signInConversations(target: Target): Conversation[] {
  return each(target, (users) => {
    const turn = goRound(users);
    return { next: () => post(target, target.paths.signIn, { email: emailOf(turn()), password }) };
  });
}

/** More than a connection sends in the time of a measurement; the load generator signs what is beyond it meanwhile. */
const signedBefore = 120;

export function passkeyConversations(target: Target): Conversation[] {
  return each(target, (users) => {
    const turn = goRound(users);
    const request = () => post(target, target.paths.passkey, target.assertionOf(turn()));
    const signed = Array.from({ length: signedBefore }, request);
    return { next: () => signed.pop() ?? request() };
  });
}

function each({ users }: Target, conversation: (users: number[]) => Conversation): Conversation[] {
  return Array.from({ length: connections }, (_, connection) => conversation(usersOf(connection, users)));
}

/** Far apart in the tables, like real callers: consecutive calls read different pages. */
function usersOf(connection: number, users: number): number[] {
  return Array.from(
    { length: Math.min(usersPerConnection, Math.floor(users / connections)) },
    (_, turn) => ((turn * connections + connection) * stride) % users,
  );
}

function goRound<T>(values: T[]): () => T {
  let last = -1;
  return () => {
    last = (last + 1) % values.length;
    return values[last] as T;
  };
}

function get(target: Target, path: string, headers: string): string {
  return `GET ${path} HTTP/1.1\r\n${target.headers}${headers}\r\n`;
}

function post(target: Target, path: string, body: unknown): string {
  const json = JSON.stringify(body);
  const headers = `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(json)}\r\n`;
  return `POST ${path} HTTP/1.1\r\n${target.headers}${headers}\r\n${json}`;
}
