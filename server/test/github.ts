// An imitation of GitHub's OAuth endpoints and API, by its documentation: errors of the token endpoint have status 200, tokens are
// a form unless JSON is asked for, and the API needs a User-Agent.
import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { type Call, json, type Route } from './identity-provider.js';
import { localServer } from './local-server.js';

export const gitHubClient = { id: 'Iv1.0123456789abcdef', secret: 'a secret of GitHub'.replaceAll(' ', '-') };

type Email = { email: string; primary: boolean; verified: boolean; visibility: string | null };

export type GitHubUser = { id: number; login: string; avatar_url: string; emails: Email[] };

const paths = {
  token: '/login/oauth/access_token',
  user: '/api/v3/user',
  emails: '/api/v3/user/emails',
} as const;

/** Answers paths of the API as a GitHub Enterprise server does: below the URL of the server. */
export async function gitHub() {
  const calls: Call[] = [];
  const other = new Map<string, Route>();
  const grants = new Map<string, { request: URLSearchParams; user: GitHubUser }>();
  const tokens = new Map<string, GitHubUser>();
  const usual: Record<string, Route> = { [paths.token]: token, [paths.user]: user, [paths.emails]: emails };

  const { origin, stop } = await localServer(async (req: IncomingMessage, res: ServerResponse) => {
    const { pathname } = new URL(req.url ?? '', 'http://github.test');
    const call = { path: pathname, form: new URLSearchParams(await text(req)), headers: req.headers };
    calls.push(call);
    const route = other.get(pathname) ?? usual[pathname];
    if (route) await route(call, res);
    else json(res, 404, { message: 'Not Found' });
  });

  function token({ form, headers }: Call, res: ServerResponse) {
    const answer = (body: Record<string, string>) => {
      if (headers.accept?.includes('application/json')) return json(res, 200, body);
      res.writeHead(200, { 'Content-Type': 'application/x-www-form-urlencoded' });
      res.end(new URLSearchParams(body).toString());
    };
    const refuse = (error: string) => answer({ error, error_description: `A text about ${error}.` });
    if (form.get('client_id') !== gitHubClient.id) return json(res, 404, { error: 'Not Found' });
    if (form.get('client_secret') !== gitHubClient.secret) return refuse('incorrect_client_credentials');
    const grant = grants.get(form.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (!grant || grant.request.get('code_challenge') !== challenge) return refuse('bad_verification_code');
    if (grant.request.get('redirect_uri') !== form.get('redirect_uri'))
      return refuse('redirect_uri_mismatch');
    grants.delete(form.get('code') ?? '');
    const access_token = `gho_${randomUUID().replaceAll('-', '')}`;
    tokens.set(access_token, grant.user);
    answer({ access_token, token_type: 'bearer', scope: 'read:user,user:email' });
  }

  function signedIn({ headers }: Call, res: ServerResponse): GitHubUser | undefined {
    const found = tokens.get((headers.authorization ?? '').replace(/^Bearer /, ''));
    if (headers['user-agent'] !== 'Foyer')
      json(res, 403, { message: 'Request forbidden by administrative rules.' });
    else if (!found) json(res, 401, { message: 'Bad credentials' });
    else return found;
    return undefined;
  }

  function user(call: Call, res: ServerResponse) {
    const found = signedIn(call, res);
    if (!found) return;
    const { emails: _, ...shown } = found;
    json(res, 200, {
      ...shown,
      node_id: 'MDQ6VXNlcjE=',
      email: null,
      name: 'Ada Lovelace',
      two_factor_authentication: true,
    });
  }

  function emails(call: Call, res: ServerResponse) {
    const found = signedIn(call, res);
    if (found) json(res, 200, found.emails);
  }

  return {
    origin,
    calls,
    callsTo: (name: keyof typeof paths) => calls.filter(({ path }) => path === paths[name]),
    /** The access tokens that were issued. */
    tokens,
    /** Overrides the answer of a path; null restores the default. */
    answer(name: keyof typeof paths, route: Route | null) {
      if (route) other.set(paths[name], route);
      else other.delete(paths[name]);
    },
    /** Signs a user in at the URL of an authorization request; returns the parameters of the redirect to the service. */
    returned(url: string, person: GitHubUser): Record<string, string> {
      const request = new URL(url).searchParams;
      const code = randomUUID().replaceAll('-', '').slice(0, 20);
      grants.set(code, { request, user: person });
      return { code, state: request.get('state') ?? '', iss: `${origin}/login/oauth` };
    },
    stop,
  };
}

/** A user with a verified primary email, and another one. */
export function gitHubUser(id: number, change: Partial<GitHubUser> = {}): GitHubUser {
  return {
    id,
    login: `user-${id}`,
    avatar_url: `https://avatars.githubusercontent.com/u/${id}?v=4`,
    emails: [
      { email: `work-${id}@example.com`, primary: false, verified: true, visibility: null },
      { email: `User-${id}@example.com`, primary: true, verified: true, visibility: 'private' },
    ],
    ...change,
  };
}
