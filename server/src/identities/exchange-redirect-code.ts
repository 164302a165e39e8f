// Exchanges the authorization code of a sign-in by redirect for an ID token, with the SSRF-safe fetch. oauth4webapi makes the
// request and judges the parameters of the callback; the ID token is verified as every other.
import {
  type AuthorizationServer,
  allowInsecureRequests,
  authorizationCodeGrantRequest,
  type ClientAuth,
  ClientSecretPost,
  customFetch,
  expectNoState,
  None,
  validateAuthResponse,
} from 'oauth4webapi';
import type { SsrfSafeFetch } from '../../engines/safe-fetch/index.js';
import { clientSecretName, providerASecret, readAppSecret } from '../apps/app-secrets.js';
import type { Deps, RedirectServer } from '../deps.js';
import { isObject, jsonIn } from '../lib/json-rules.js';
import type { App } from '../model/app.js';
import { callbackUrl } from './begin-redirect.js';
import { ClientRejectedError, clientSecretOf } from './provider-b.js';
import { CodeRejectedError, MissingKeyError } from './provider-call-failures.js';
import type { RedirectProvider } from './redirect-provider.js';
import type { RedirectState } from './redirect-state.js';

const timeoutMilliseconds = 5_000;
const maxAnswerBytes = 64 * 1_024;

/** The last three are GitHub's, which answers them with status 200. */
const errorsOfClient = [
  'invalid_client',
  'unauthorized_client',
  'incorrect_client_credentials',
  'redirect_uri_mismatch',
  'application_suspended',
];

const errorsOfCode = ['invalid_grant', 'bad_verification_code'];

type ExchangeDeps = Pick<Deps, 'ssrfSafeFetch' | 'prisma' | 'keyRing' | 'config' | 'clock'>;

type Exchange = {
  server: RedirectServer;
  state: Pick<RedirectState, 'provider' | 'clientId' | 'verifier'>;
  /** Those of the callback, judged by `validateAuthResponse`. */
  parameters: URLSearchParams;
};

/** What the token endpoint answers. Throws a ClientRejectedError, a CodeRejectedError, or when the provider is not available. */
export async function exchangeRedirectCode(
  deps: ExchangeDeps,
  app: App,
  exchange: Exchange,
): Promise<Record<string, unknown>> {
  const { status, tokens, error } = await requestTokens(deps, app, exchange);
  if (error === null) return tokens;
  if (errorsOfClient.includes(error))
    throw new ClientRejectedError(`the provider answered ${status} ${error}`);
  if (status < 500 && status !== 429) throw new CodeRejectedError(`the provider answered ${status} ${error}`);
  throw new Error(`the provider answered ${status}`);
}

/**
 * Whether the provider accepts the client and its secret, found out with a code that it never issued. Otherwise the status and
 * error code of its response. Throws when the provider cannot be reached.
 */
export async function tryRedirectClient(
  deps: ExchangeDeps,
  app: App,
  { id: provider, clientIds }: RedirectProvider,
  server: RedirectServer,
): Promise<'accepted' | 'rejected' | { status: number; error: string }> {
  const clientId = clientIds[0] as string;
  const response = new URLSearchParams({ code: 'a-code-that-was-never-issued', iss: server.issuer });
  const parameters = validateAuthResponse(server, { client_id: clientId }, response, expectNoState);
  const state = { provider, clientId, verifier: 'a-verifier-that-belongs-to-no-code-of-the-provider' };
  const { status, error } = await requestTokens(deps, app, { server, state, parameters });
  if (errorsOfClient.includes(error ?? '')) return 'rejected';
  return errorsOfCode.includes(error ?? '') ? 'accepted' : { status, error: error ?? 'no error' };
}

/** The error is null with tokens. A provider judges the client before the code, which is unused after a rejection. */
async function requestTokens(deps: ExchangeDeps, app: App, exchange: Exchange) {
  const { provider, clientId } = exchange.state;
  const [first, second] = clientAuths(exchange.server, await secretOf(deps, app, provider, clientId));
  const answer = await requestTokensAs(first, deps, exchange);
  return answer.error === 'invalid_client' && second ? requestTokensAs(second, deps, exchange) : answer;
}

async function requestTokensAs(
  clientAuth: ClientAuth,
  deps: ExchangeDeps,
  { server, state, parameters }: Exchange,
) {
  const { provider, clientId, verifier } = state;
  const answer = await authorizationCodeGrantRequest(
    server,
    { client_id: clientId },
    clientAuth,
    parameters,
    callbackUrl(deps.config, provider),
    verifier,
    {
      [customFetch]: fetchBy(deps.ssrfSafeFetch),
      // The SSRF-safe fetch refuses http, except to this machine in development.
      [allowInsecureRequests]: true,
    },
  );
  const body = jsonIn(await answer.text());
  const tokens = isObject(body) ? body : {};
  const isAnswered = answer.status === 200 && tokens.error === undefined;
  return { status: answer.status, tokens, error: isAnswered ? null : errorOf(tokens) };
}

/** The second one is for a provider that supports both, and may accept only the one with which the client is registered. */
function clientAuths(server: AuthorizationServer, secret: string | null): [ClientAuth, ClientAuth?] {
  if (secret === null) return [None()];
  const { token_endpoint_auth_methods_supported: methods } = server;
  const [basic, post] = [basicAuth(secret), ClientSecretPost(secret)];
  // Without a list providers support Basic (OpenID Connect Discovery 1.0), or do not say what they support.
  if (!methods) return [basic, post];
  if (!methods.includes('client_secret_post')) return [basic];
  // Basic is encoded, and not every provider decodes it.
  return methods.includes('client_secret_basic') ? [post, basic] : [post];
}

/** Null for a client of the settings without one. */
async function secretOf(
  deps: ExchangeDeps,
  app: App,
  provider: string,
  clientId: string,
): Promise<string | null> {
  if (provider === 'provider-b') {
    const signed = await clientSecretOf(deps, app, clientId);
    if (signed === null) throw new MissingKeyError('the app has no private key for provider B');
    return signed;
  }
  const name = provider === 'provider-a' ? providerASecret : clientSecretName(provider);
  const isSet = provider === 'provider-a' || app.settings.providers[provider]?.client_secret_set === true;
  const secret = isSet ? await readAppSecret(deps, app.id, name) : null;
  return secret?.toString() ?? null;
}

/**
 * RFC 6749, section 2.3.1: form-encoded. The library encodes hyphens, dots and underscores too, which forms leave as they are:
 * providers that do not decode then reject most secrets.
 */
function basicAuth(secret: string): ClientAuth {
  return (_server, { client_id: clientId }, _body, headers) => {
    const credentials = `${formEncoded(clientId)}:${formEncoded(secret)}`;
    headers.set('authorization', `Basic ${Buffer.from(credentials).toString('base64')}`);
  };
}

function formEncoded(text: string): string {
  return new URLSearchParams({ '': text }).toString().slice(1);
}

type RequestOfLibrary = { method: string; headers: Record<string, string>; body: URLSearchParams };

function fetchBy(ssrfSafeFetch: SsrfSafeFetch) {
  return async (url: string, { headers, body }: RequestOfLibrary): Promise<Response> => {
    const request = { headers, body: body.toString(), timeoutMilliseconds, maxAnswerBytes };
    const answer = await ssrfSafeFetch.send(url, request);
    const hasBody = ![204, 205, 304].includes(answer.status);
    return new Response(hasBody ? new Uint8Array(answer.body) : null, { status: answer.status });
  };
}

/** Of the form of RFC 6749, section 5.2: other text of the provider is not logged. */
function errorOf({ error }: Record<string, unknown>): string {
  return typeof error === 'string' && /^[a-z_]{1,40}$/.test(error) ? error : 'without a name';
}
