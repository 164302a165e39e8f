// Enforces the metadata of each endpoint: app key, origin, rate limit, and the token or secret key of the caller. It runs before
// the body is read, so that unauthenticated requests are cheap. All API versions share this guard.
import {
  credentialsOf,
  type EndpointAuth,
  type EndpointMetadata,
  type EndpointRateLimit,
  isClosedToConsole,
  metadataOf,
  type RateLimitPolicy,
  roleOf,
  Ulid,
} from '@foyer/contract';
import type { AppRoute } from '@ts-rest/core';
import type { NextFunction, Request, Response } from 'express';
import { recordKeyInBrowser, requireSecretKey, type SecretKeyCall } from '../apps/find-secret-key.js';
import { anonymous, recordLimitedGuess } from '../audit/record-failure.js';
import {
  type FoundMember,
  findMember,
  type MemberCall,
  readMember,
  requireRole,
} from '../console/find-member.js';
import type { Deps } from '../deps.js';
import { knownApp, requireAllowedOrigin } from '../http/app-key.js';
import { type Caller, uidOf } from '../http/caller.js';
import { clientIp } from '../http/client-ip.js';
import type { ApiVersion } from '../http/error-form.js';
import { ApiError } from '../lib/api-error.js';
import type { RateLimitState } from '../lib/rate-limit/limit-windows.js';
import { rateLimitHeaders } from '../lib/rate-limit/rate-limit.js';
import { type App, isConsole } from '../model/app.js';
import { signedInRecently } from '../model/recent-sign-in.js';
import { findSessionOfToken } from '../sessions/find-session.js';
import { useV1Token } from '../v1/tokens/find-v1-token.js';

declare global {
  namespace Express {
    interface Request {
      requestId: string;
      apiVersion?: ApiVersion;
      tsRestRoute?: AppRoute;
      caller?: Caller;
      /** Set once the app of the key was looked up; null if there is none. */
      knownApp?: App | null;
      /** In v1: resolves once the shutdown headers are set, or v1 is off. */
      announced?: Promise<void>;
      /** The raw body, for schemas that check numbers as written. */
      jsonText?: string;
    }
  }
}

export function guard(deps: Deps) {
  return (req: Request, res: Response, next: NextFunction): void => {
    admit(deps, req, res).then(
      () => next(),
      (error) => next(error),
    );
  };
}

async function admit(deps: Deps, req: Request, res: Response): Promise<void> {
  const route = req.tsRestRoute as AppRoute;
  const metadata = metadataOf(route);
  if (metadata.auth === 'public') return;

  const app = await appOf(deps, req);
  const ipAddress = clientIp(req);
  const caller: Caller = {
    ...{ app, ipAddress, session: null, v1Token: null, secretKey: null, member: null },
    authorizeAgain: () => authorizeAgain(deps, caller, req),
  };
  req.caller = caller;
  const accepted = credentialsOf(metadata.auth);
  try {
    await auditKeyInBrowser(deps, caller, req, res);
  } finally {
    // Regardless of the outcome: the origin is checked before the page can read anything. The dashboard of the service
    // acts for every app.
    requireAllowedOrigin(app, req, res, accepted.member ? deps.config.baseUrl : undefined);
  }
  res.setHeader('Cache-Control', 'no-store');
  requireOpenTo(app, route);

  const byAddress = policiesByAddress[metadata.rateLimit];
  if (byAddress) show(res, await takingByAddress(deps, caller, byAddress));

  const credential = credentialFor(metadata.auth, req);
  const showState = (state: RateLimitState) => show(res, state);
  if (credential === 'secret-key') {
    const call = secretKeyCall(caller, req, metadata);
    if (!call) throw new ApiError('admin/invalid-secret-key');
    // A secret key sent by a page is refused, but not cached as invalid for the backend.
    const secretKey = `${call.fromBrowser ? 'browser ' : ''}${call.secretKey}`;
    const presented = { app, ipAddress, credential: secretKey };
    caller.secretKey = await deps.credentialGate.pass(
      presented,
      () => requireSecretKey(deps, call),
      showState,
    );
  } else if (credential === 'token') {
    const token = bearerOf(req);
    const member = accepted.member ? await findCallingMember(deps, caller, req, token, showState) : null;
    if (member) {
      await admitMember(deps, caller, member, req, res);
      return;
    }
    if (!accepted.user) throw new ApiError('admin/invalid-secret-key');
    const isV1 = req.apiVersion === 'v1';
    // The signature of a v2 token is verified before any lookup.
    const presented = { app, ipAddress, credential: isV1 ? token : null };
    const find = async () =>
      isV1
        ? { v1Token: await useV1Token(deps, app, token) }
        : { session: await findSessionOfToken(deps, app, token) };
    Object.assign(caller, await deps.credentialGate.pass(presented, find, showState));
  }

  if (caller.secretKey) {
    show(res, await consumeOfBackend(deps, app, metadata, caller.secretKey.id));
  } else if (metadata.rateLimit === 'client' || metadata.rateLimit === 'upload') {
    show(res, await deps.limiter.consume(metadata.rateLimit, app, uidOf(caller) ?? { ipAddress }));
  }
  if (metadata.recentSignIn && !signedInRecently(deps, caller))
    throw new ApiError('auth/requires-recent-login');
}

/** The dashboard's own app has calls of its own, and neither users nor content to manage. v1 does not know it. */
function requireOpenTo(app: App, route: AppRoute): void {
  const { auth } = metadataOf(route);
  if (auth.startsWith('console') && !isConsole(app)) throw new ApiError('console/required');
  if (isConsole(app) && isClosedToConsole(route)) throw new ApiError('console/not-available');
}

/**
 * Null if the token is not one of a team account, where the endpoint accepts other credentials too. The token's audience is
 * the app `console`, so it never authenticates a user of another app, nor a user's token a member.
 */
async function findCallingMember(
  deps: Deps,
  { app, ipAddress }: Caller,
  req: Request,
  token: string,
  onCounted: (state: RateLimitState) => void,
): Promise<FoundMember | null> {
  const { auth } = metadataOf(req.tsRestRoute as AppRoute);
  const presented = { app, ipAddress, credential: null };
  const find = async () => {
    const member = token === '' ? null : await findMember(deps, token, targetOf(app, req));
    if (!member && (auth === 'member' || auth === 'console')) throw new ApiError('auth/invalid-token');
    return member;
  };
  return deps.credentialGate.pass(presented, find, onCounted);
}

/** The app that a member's call acts on. */
function targetOf(app: App, req: Request): string {
  const { app_id: named } = req.params;
  if (!isConsole(app) || named === undefined) return app.id;
  // Not validated yet: PostgreSQL cannot compare every string.
  return Ulid.safeParse(named).success ? String(named) : '';
}

async function admitMember(
  deps: Deps,
  caller: Caller,
  member: FoundMember,
  req: Request,
  res: Response,
): Promise<void> {
  const metadata = metadataOf(req.tsRestRoute as AppRoute);
  caller.member = member;
  show(res, await consumeOfBackend(deps, caller.app, metadata, member.uid));
  requireRole(deps, member, memberCall(caller, req));
  const signIn = { app: await deps.apps.console(), session: member.session };
  if (metadata.recentSignIn && !signedInRecently(deps, signIn))
    throw new ApiError('auth/requires-recent-login');
}

async function authorizeAgain(deps: Deps, caller: Caller, req: Request): Promise<void> {
  const app = await deps.apps.byKey(caller.app.appKey);
  if (!app?.enabled) throw new ApiError('request/invalid-app-key');
  if (caller.secretKey) {
    const call = secretKeyCall(caller, req, metadataOf(req.tsRestRoute as AppRoute));
    if (call) caller.secretKey = await requireSecretKey(deps, call);
  }
  if (caller.member) {
    const { uid, session } = caller.member;
    const call = memberCall(caller, req);
    const member = await readMember(deps, { uid, sessionId: session.sessionId, appId: call.appId });
    requireRole(deps, member, call);
    caller.member = member;
  }
}

/** What a member needs for a call. */
function memberCall({ app, ipAddress }: Caller, req: Request): MemberCall {
  const metadata = metadataOf(req.tsRestRoute as AppRoute);
  const isOfConsole = metadata.auth === 'console';
  return {
    appId: targetOf(app, req),
    needed: roleOf(metadata) ?? (isOfConsole ? null : 'viewer'),
    hidesApp: isOfConsole && req.params.app_id !== undefined,
    ipAddress,
  };
}

/**
 * Counts a call with a secret key or of a team member. The settings have a count of their own with the default limit, so that a
 * team can correct a limit that it has set too low.
 */
function consumeOfBackend(
  deps: Pick<Deps, 'limiter'>,
  app: App,
  { rateLimit, scope }: EndpointMetadata,
  id: string,
): Promise<RateLimitState | null> {
  if (scope === 'settings:manage')
    return deps.limiter.consume('admin', { ...app, rateLimits: {} }, `settings ${id}`);
  return deps.limiter.consume(rateLimit === 'push-send' ? 'push-send' : 'admin', app, id);
}

/** Null if the endpoint allows requests without a credential and none was sent. */
function credentialFor(auth: EndpointAuth, req: Request): 'token' | 'secret-key' | null {
  const { user, secretKey, member, demanded } = credentialsOf(auth);
  const { authorization } = req.headers;
  if (!demanded && !authorization) return null;
  if (secretKey && /^bearer +sk_/i.test(authorization ?? '')) return 'secret-key';
  return user || member ? 'token' : null;
}

/** Limits that apply before the first database query. */
const policiesByAddress: Partial<Record<EndpointRateLimit, RateLimitPolicy>> = {
  auth: 'auth-ip',
  exchange: 'exchange-ip',
  'code-send': 'code-send-ip',
};

/** Records an audit entry when one IP address exceeds the sign-in limit, as for one account. */
async function takingByAddress(
  deps: Deps,
  { app, ipAddress }: Caller,
  policy: RateLimitPolicy,
): Promise<RateLimitState | null> {
  try {
    return await deps.limiter.consume(policy, app, { ipAddress });
  } catch (error) {
    const guesses = policy !== 'code-send-ip' && error instanceof ApiError;
    if (guesses) recordLimitedGuess(deps, { appId: app.id, actor: anonymous(ipAddress), method: 'any' });
    throw error;
  }
}

/** A request with `Origin` comes from a browser, which must not have a secret key. */
function secretKeyCall(
  { app, ipAddress }: Caller,
  req: Request,
  { scope }: EndpointMetadata,
): SecretKeyCall | null {
  const secretKey = /^bearer +(sk_\S+)$/i.exec(req.headers.authorization ?? '')?.[1];
  if (!secretKey?.startsWith('sk_')) return null;
  return {
    appId: app.id,
    secretKey,
    scope,
    fromBrowser: req.headers.origin !== undefined,
    ipAddress,
  };
}

async function auditKeyInBrowser(deps: Deps, caller: Caller, req: Request, res: Response): Promise<void> {
  const call = secretKeyCall(caller, req, metadataOf(req.tsRestRoute as AppRoute));
  if (!call?.fromBrowser) return;
  // Counted before the lookup, because no earlier limit applies to guessed keys.
  show(res, await deps.limiter.consume('client', caller.app, caller));
  await recordKeyInBrowser(deps, call);
}

async function appOf(deps: Deps, req: Request): Promise<App> {
  const app = await knownApp(deps, req);
  if (!app?.enabled || (req.apiVersion === 'v1' && isConsole(app)))
    throw new ApiError('request/invalid-app-key');
  return app;
}

/** Empty if missing, which is refused like a wrong one. */
function bearerOf(req: Request): string {
  const [scheme, token, ...more] = (req.headers.authorization ?? '').split(' ');
  return scheme?.toLowerCase() === 'bearer' && token && more.length === 0 ? token : '';
}

function show(res: Response, state: RateLimitState | null): void {
  if (state) for (const [name, value] of Object.entries(rateLimitHeaders(state))) res.setHeader(name, value);
}
