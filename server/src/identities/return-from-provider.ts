// GET and POST /auth/providers/{provider}/callback: a user returns from the provider, and is sent on to the app with a code, or with
// the code of an error. No account is made here, since nothing shows yet that the user is at the client that began.
import type { ErrorCode } from '@foyer/contract';
import { AuthorizationResponseError, OperationProcessingError, validateAuthResponse } from 'oauth4webapi';
import { anonymous } from '../audit/record-failure.js';
import type { Deps, RedirectServer } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { isObject, jsonIn } from '../lib/json-rules.js';
import { type App, isBeingDeleted, isRedirectUri } from '../model/app.js';
import { exchangeRedirectCode } from './exchange-redirect-code.js';
import { accountAtGitHub } from './github.js';
import { profileOf } from './id-token-rules.js';
import { ClientRejectedError } from './provider-b.js';
import { CodeRejectedError, reasonOf } from './provider-call-failures.js';
import { sealCode } from './redirect-code.js';
import { redirectServerOf, sameRedirectProvider } from './redirect-provider.js';
import { openState, type RedirectState } from './redirect-state.js';
import { RefusedToken, recordRefusal } from './refused-token.js';
import { withUserInfo } from './user-info.js';
import { type ReturnedAccount, verifyIdToken } from './verify-id-token.js';

export type Callback = {
  provider: string;
  /** Of the query or the form: `state`, `code`, `iss`, `error` and `user`. */
  parameters: Record<string, string | undefined>;
  ip: string | null;
};

/**
 * The URL to send the user to. Throws `auth/invalid-credential` without a state of the service: then nothing says where the user
 * came from, and any other URL could be that of an attacker.
 */
export async function returnFromProvider(deps: Deps, callback: Callback): Promise<string> {
  const { app, state } = await requireState(deps, callback);
  // Each callback makes a request to the provider.
  await deps.limiter.consume('exchange-ip', app, { ip: callback.ip });
  try {
    const account = await accountAtProvider(deps, { app, state, callback });
    const flow = { issuer: state.issuer, challenge: state.challenge, flow: state.nonce };
    return withParameter(state.redirectUri, 'code', sealCode(deps, app, account, flow));
  } catch (error) {
    return withParameter(state.redirectUri, 'error', codeOf(deps, { app, state, callback }, error));
  }
}

type Returned = { app: App; state: RedirectState; callback: Callback };

async function requireState(
  deps: Pick<Deps, 'config' | 'keyRing' | 'apps'>,
  { provider, parameters }: Callback,
): Promise<Pick<Returned, 'app' | 'state'>> {
  const refused = (cause: string) => new ApiError('auth/invalid-credential', { cause });
  const state = openState(deps, parameters.state ?? '');
  if (!state) throw refused('the state is not one of the service');
  // Each provider has a callback of its own, so that one cannot send the user to that of another (mix-up).
  if (state.provider !== provider) throw refused('the state is of another provider');
  const app = await deps.apps.byId(state.appId);
  if (!app?.enabled || isBeingDeleted(app)) throw refused('the app of the state is gone or disabled');
  if (!isRedirectUri(deps.config.baseUrl, app, state.redirectUri))
    throw refused('the redirect URI of the state is no longer in the settings');
  return { app, state };
}

async function accountAtProvider(deps: Deps, { app, state, callback }: Returned): Promise<ReturnedAccount> {
  if (state.expiresAt <= deps.clock.now().getTime())
    throw new ApiError('auth/invalid-credential', { cause: 'the state has expired' });
  const target = sameRedirectProvider(deps, app, state.provider, state);
  if (!target)
    throw new ApiError('auth/invalid-credential', { cause: 'the provider has changed in the settings' });
  const server = await redirectServerOf(deps, target);
  const parameters = judgedParameters(server, state, callback);
  const tokens = await exchangeRedirectCode(deps, app, { server, state, parameters });
  if (target.kind === 'github') return accountAtGitHub(deps, state, tokens.access_token);
  const { id_token: idToken } = tokens;
  if (typeof idToken !== 'string') throw new CodeRejectedError('the provider sent no ID token');
  const { provider, nonce } = state;
  const token = { provider, idToken, nonce, authorizationCode: null };
  const { proof: _, ...account } = await verifyIdToken(deps, app, token);
  if (target.kind === 'provider-b') return withFormOfProviderB(account, tokens, callback);
  return withUserInfo(deps, { app, server, account }, { idToken, accessToken: tokens.access_token });
}

const maxRefreshTokenCharacters = 2_048;

/** Provider B names the user beside its tokens, in the first form only, and issues a refresh token, which can be revoked. */
function withFormOfProviderB(
  account: ReturnedAccount,
  { refresh_token: token }: Record<string, unknown>,
  { parameters }: Callback,
): ReturnedAccount {
  const user = jsonIn(parameters.user ?? '');
  const name = isObject(user) && isObject(user.name) ? user.name : {};
  const isStorable = typeof token === 'string' && token !== '' && token.length <= maxRefreshTokenCharacters;
  return {
    ...account,
    profile: profileOf({ given_name: name.firstName, family_name: name.lastName }),
    refreshToken: isStorable ? token : null,
  };
}

/** The issuer of the response, and that it has a code; throws the errors of oauth4webapi. */
function judgedParameters(
  server: RedirectServer,
  { clientId }: RedirectState,
  { parameters }: Callback,
): URLSearchParams {
  const given = Object.entries(parameters).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  const response = new URLSearchParams(given);
  return validateAuthResponse(server, { client_id: clientId }, response, parameters.state);
}

/** Providers name a user who declines in different ways. */
const cancellations = ['access_denied', 'user_cancelled_login', 'user_cancelled_authorize'];
const outages = ['server_error', 'temporarily_unavailable'];

/** The code for the app; the team of the app learns more from the audit log. */
function codeOf(deps: Deps, { app, state, callback }: Returned, error: unknown): ErrorCode {
  const { provider } = state;
  if (error instanceof RefusedToken) {
    recordRefusal(deps, { app, ip: callback.ip }, provider, error);
    return error.code;
  }
  if (error instanceof ApiError) return error.code;
  if (error instanceof AuthorizationResponseError && cancellations.includes(error.error))
    return 'auth/user-cancelled';
  const failure = failureOf(error);
  const reason = reasonOf(failure);
  deps.logger.warn(
    { app_id: app.id, provider, err: failure },
    'a sign-in by redirect failed at the provider',
  );
  // Counted like refused tokens: anybody can send a code with a state of their own.
  deps.auditBuffer.add({
    appId: app.id,
    actor: anonymous(callback.ip),
    action: 'provider.exchange_failed',
    about: `provider:${provider}`,
    kind: `${provider} ${reason}`,
    details: { reason },
  });
  if (reason === 'unavailable') return 'request/unavailable';
  return reason === 'code-rejected' ? 'auth/invalid-credential' : 'auth/operation-not-allowed';
}

/** What an error of oauth4webapi means; without the text of the provider, which it quotes. */
function failureOf(error: unknown): unknown {
  if (error instanceof OperationProcessingError)
    return new CodeRejectedError(`the response is not valid: ${error.code}`);
  if (!(error instanceof AuthorizationResponseError)) return error;
  if (outages.includes(error.error)) return new Error('the provider reports an error of its own');
  return new ClientRejectedError('the provider refused the authorization request');
}

/** Appended as text, so that the rest remains as the team has written it. */
function withParameter(uri: string, name: string, value: string): string {
  const separator = !uri.includes('?') ? '?' : /[?&]$/.test(uri) ? '' : '&';
  return `${uri}${separator}${name}=${encodeURIComponent(value)}`;
}
