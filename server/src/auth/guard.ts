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
  roles,
  rolesOf,
  Ulid,
} from '@foyer/contract';
import type { AppRoute } from '@ts-rest/core';
import type { NextFunction, Request, Response } from 'express';
import { type RateLimitState, rateLimitHeaders } from '../../engines/limiter/index.js';
import { recordKeyInBrowser, requireSecretKey, type SecretKeyCall } from '../apps/find-secret-key.js';
import { recordLimitedGuess } from '../audit/record-failure.js';
import {
  type FoundMember,
  findMember,
  type MemberCall,
  readMember,
  requireRole,
  requireSecondFactor,
} from '../console/find-member.js';
import type { Deps } from '../deps.js';
import { knownApp, requireAllowedOrigin } from '../http/app-key.js';
import { requireRecentMember } from '../http/demands.js';
import type { ApiVersion } from '../http/error-form.js';
import { ApiError } from '../lib/api-error.js';
import { type App, isConsole } from '../model/app.js';
import type { Call } from '../model/call.js';
import { signedInRecently } from '../model/recent-sign-in.js';
import { findSessionOfToken } from '../sessions/find-session.js';
import { useV1Token } from '../v1-tokens/find-v1-token.js';
import { addCredential, codeFlowOf, newCall } from './new-call.js';

declare global {
  namespace Express {
    interface Request {
      requestId: string;
      apiVersion?: ApiVersion;
      tsRestRoute?: AppRoute;
      call?: Call;
      /** Set once the app of the key was looked up; null if there is none. */
      knownApp?: App | null;
      /** Used in v1: resolves once the shutdown headers are set, or v1 is off. */
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
  const call = newCall(req, app, (made) => authorizeAgain(deps, made, req));
  const { ip } = call;
  req.call = call;
  const accepted = credentialsOf(metadata.auth);
  try {
    await auditKeyInBrowser(deps, call, req, res);
  } finally {
    // This is in `finally`, so that CORS headers are also set on a refusal. The pages of the service act for every app.
    requireAllowedOrigin(app, req, res, deps.config.baseUrl);
  }
  res.setHeader('Cache-Control', 'no-store');
  requireOpenTo(app, route);

  const byAddress = policiesByAddress[metadata.rateLimit];
  if (byAddress) show(res, await takingByAddress(deps, call, byAddress));

  const credential = credentialFor(metadata.auth, req);
  const showState = (state: RateLimitState) => show(res, state);
  if (credential === 'secret-key') {
    const presented = presentedKey(call, req, metadata);
    if (!presented) throw new ApiError('admin/invalid-secret-key');
    // A secret key sent by a page is refused, but not cached as invalid for the backend.
    const text = `${presented.fromBrowser ? 'browser ' : ''}${presented.secretKey}`;
    const find = () => requireSecretKey(deps, presented);
    const secretKey = await deps.credentialGate.pass({ app, ip, credential: text }, find, showState);
    addCredential(call, { secretKey });
  } else if (credential === 'token') {
    const member = accepted.member ? await findCallingMember(deps, call, req, showState) : null;
    if (member) {
      addCredential(call, { member });
      show(res, await consumeOfBackend(deps, app, metadata, member.uid));
      await requireMember(deps, call, member, req);
      return;
    }
    if (!accepted.user) throw new ApiError('admin/invalid-secret-key');
    const token = bearerOf(req);
    const isV1 = req.apiVersion === 'v1';
    // The signature of a v2 token is verified before any lookup.
    const presented = { app, ip, credential: isV1 ? token : null };
    const find = async () =>
      isV1
        ? { v1Token: await useV1Token(deps, app, token) }
        : { session: await findSessionOfToken(deps, app, token) };
    addCredential(call, await deps.credentialGate.pass(presented, find, showState));
  }

  if (call.secretKey) {
    show(res, await consumeOfBackend(deps, app, metadata, call.secretKey.id));
  } else if (metadata.rateLimit === 'client' || metadata.rateLimit === 'upload') {
    show(res, await deps.limiter.consume(metadata.rateLimit, app, call.uid ?? { ip }));
  }
  // A secret key has no sign-in.
  if (metadata.recentSignIn && !call.secretKey && !signedInRecently(deps, call))
    throw new ApiError('auth/requires-recent-login');
  call.codeFlow = codeFlowOf(req.headers, metadata);
}

/** The dashboard's own app has calls of its own, and neither users nor content to manage. v1 does not know it. */
function requireOpenTo(app: App, route: AppRoute): void {
  const { auth } = metadataOf(route);
  if (auth.startsWith('console') && !isConsole(app)) throw new ApiError('console/required');
  if (isConsole(app) && isClosedToConsole(route)) throw new ApiError('console/not-available');
}

/**
 * Returns null if the token is not one of a team account, where the endpoint accepts other credentials too. The token's
 * audience is the app `console`, so it never authenticates a user of another app, nor a user's token a member.
 */
async function findCallingMember(
  deps: Deps,
  { app, ip }: Call,
  req: Request,
  onCounted: (state: RateLimitState) => void,
): Promise<FoundMember | null> {
  const { auth } = metadataOf(req.tsRestRoute as AppRoute);
  const token = bearerOf(req);
  const presented = { app, ip, credential: null };
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
  // The path is not validated yet, and PostgreSQL cannot compare every string.
  return Ulid.safeParse(named).success ? String(named) : '';
}

async function requireMember(deps: Deps, call: Call, member: FoundMember, req: Request): Promise<void> {
  requireRole(deps, member, memberCall(call, req));
  await requireSecondFactor(deps, member);
  if (metadataOf(req.tsRestRoute as AppRoute).recentSignIn) await requireRecentMember(deps, { member });
}

async function authorizeAgain(deps: Deps, call: Call, req: Request): Promise<void> {
  const app = await deps.apps.byKey(call.app.appKey);
  if (!app?.enabled) throw new ApiError('request/invalid-app-key');
  if (call.secretKey) {
    const presented = presentedKey(call, req, metadataOf(req.tsRestRoute as AppRoute));
    if (presented) call.secretKey = await requireSecretKey(deps, presented);
  }
  if (call.member) {
    const { uid, session } = call.member;
    const demanded = memberCall(call, req);
    const member = await readMember(deps, { uid, sessionId: session.sessionId, appId: demanded.appId });
    requireRole(deps, member, demanded);
    call.member = member;
  }
}

/** Returns what a member needs for a call. */
function memberCall({ app, ip }: Call, req: Request): MemberCall {
  const metadata = metadataOf(req.tsRestRoute as AppRoute);
  const isOfConsole = metadata.auth === 'console';
  return {
    appId: targetOf(app, req),
    needed: rolesOf(metadata) ?? (isOfConsole ? null : roles),
    hidesApp: isOfConsole && req.params.app_id !== undefined,
    ip,
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

/** Returns null if the endpoint allows requests without a credential and none was sent. */
function credentialFor(auth: EndpointAuth, req: Request): 'token' | 'secret-key' | null {
  const { user, secretKey, member, demanded } = credentialsOf(auth);
  const { authorization } = req.headers;
  if (!demanded && !authorization) return null;
  if (secretKey && bearerOf(req).startsWith('sk_')) return 'secret-key';
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
  call: Call,
  policy: RateLimitPolicy,
): Promise<RateLimitState | null> {
  try {
    return await deps.limiter.consume(policy, call.app, { ip: call.ip });
  } catch (error) {
    const guesses = policy !== 'code-send-ip' && error instanceof ApiError;
    if (guesses) recordLimitedGuess(deps, call, { method: 'any' }, error);
    throw error;
  }
}

/** A request with `Origin` comes from a browser, which must not have a secret key. */
function presentedKey({ app, ip }: Call, req: Request, metadata: EndpointMetadata): SecretKeyCall | null {
  const secretKey = bearerOf(req);
  if (!secretKey.startsWith('sk_')) return null;
  return {
    appId: app.id,
    secretKey,
    needs: metadata,
    fromBrowser: req.headers.origin !== undefined,
    ip,
  };
}

async function auditKeyInBrowser(deps: Deps, call: Call, req: Request, res: Response): Promise<void> {
  const presented = presentedKey(call, req, metadataOf(req.tsRestRoute as AppRoute));
  if (!presented?.fromBrowser) return;
  // Counted before the lookup, because no earlier limit applies to guessed keys.
  show(res, await deps.limiter.consume('client', call.app, { ip: call.ip }));
  await recordKeyInBrowser(deps, presented);
}

async function appOf(deps: Deps, req: Request): Promise<App> {
  const app = await knownApp(deps, req);
  if (!app?.enabled || (req.apiVersion === 'v1' && isConsole(app)))
    throw new ApiError('request/invalid-app-key');
  return app;
}

/** Returns the bearer token, or an empty string if it is missing or malformed, which is refused like a wrong one. */
function bearerOf(req: Request): string {
  return /^bearer[ \t]+(\S+)$/i.exec(req.headers.authorization ?? '')?.[1] ?? '';
}

function show(res: Response, state: RateLimitState | null): void {
  if (state) for (const [name, value] of Object.entries(rateLimitHeaders(state))) res.setHeader(name, value);
}
