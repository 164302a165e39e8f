// The four measured calls of Foyer and of each peer, as raw HTTP requests.
import { password } from './database.js';

export type Tokens = { access: string; refresh?: string };

export type Api = {
  signUp(email: string): string;
  /** 200 if none is given. */
  signUpStatus?: number;
  signIn(email: string): string;
  /** The tokens in the answer to a sign-in or refresh; a field that is missing stays as it was. */
  tokensOf(body: string): Partial<Tokens>;
  refresh?(tokens: Tokens): string;
  me(tokens: Tokens): string;
};

const dataTokens = (body: string) => {
  const { access_token: access, refresh_token: refresh } = JSON.parse(body).data;
  return { access, refresh };
};
const bearer = ({ access }: Tokens) => `Authorization: Bearer ${access}\r\n`;

export function foyerApi(appKey: string): Api {
  const key = `X-App-Key: ${appKey}\r\n`;
  return {
    signUp: (email) => post('/api/v2/auth/sign-up', { email, password }, key),
    signUpStatus: 201,
    signIn: (email) => post('/api/v2/auth/sign-in', { email, password }, key),
    tokensOf: dataTokens,
    refresh: ({ refresh }) => post('/api/v2/auth/token/refresh', { refresh_token: refresh }, key),
    me: (tokens) => get('/api/v2/me', key + bearer(tokens)),
  };
}

const betterAuth: Api = {
  signUp: (email) => post('/api/auth/sign-up/email', { email, password, name: 'Ada Lovelace' }),
  signIn: (email) => post('/api/auth/sign-in/email', { email, password }),
  // The answer to get-session contains no other token: the session keeps its own.
  tokensOf: (body) => {
    const { token } = JSON.parse(body);
    return token === undefined ? {} : { access: token };
  },
  refresh: (tokens) => get('/api/auth/get-session', bearer(tokens)),
  me: (tokens) => get('/api/auth/get-session?disableRefresh=true', bearer(tokens)),
};

const parseApp = 'X-Parse-Application-Id: bench\r\n';
const parseServer: Api = {
  signUp: (email) => post('/parse/users', { username: email, email, password }, parseApp),
  signUpStatus: 201,
  signIn: (email) => post('/parse/login', { username: email, password }, parseApp),
  tokensOf: (body) => ({ access: JSON.parse(body).sessionToken }),
  me: ({ access }) => get('/parse/users/me', `${parseApp}X-Parse-Session-Token: ${access}\r\n`),
};

const directus: Api = {
  signUp: (email) => post('/users/register', { email, password, first_name: 'Ada', last_name: 'Lovelace' }),
  signUpStatus: 204,
  signIn: (email) => post('/auth/login', { email, password }),
  tokensOf: dataTokens,
  refresh: ({ refresh }) => post('/auth/refresh', { refresh_token: refresh, mode: 'json' }),
  me: (tokens) => get('/users/me?fields=id,email,first_name,last_name,status', bearer(tokens)),
};

export const peerApis = { 'better-auth': betterAuth, 'parse-server': parseServer, directus };

const common =
  'Host: localhost\r\nAccept: application/json\r\nUser-Agent: Mozilla/5.0 (Android 15) Firefox/131.0\r\n';

function get(path: string, headers: string): string {
  return `GET ${path} HTTP/1.1\r\n${common}${headers}\r\n`;
}

function post(path: string, body: unknown, headers = ''): string {
  const json = JSON.stringify(body);
  const typed = `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(json)}\r\n`;
  return `POST ${path} HTTP/1.1\r\n${common}${headers}${typed}\r\n${json}`;
}
