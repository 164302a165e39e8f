// Makes the call of a request, before its credential is known, and adds what the credential proves.
import type { IncomingHttpHeaders } from 'node:http';
import { type EndpointMetadata, limits } from '@foyer/contract';
import type { Request } from 'express';
import { clientIp } from '../../engines/http-guard/index.js';
import { anonymous } from '../audit/record-failure.js';
import { deviceOf } from '../http/device.js';
import { ApiError } from '../lib/api-error.js';
import { userActor } from '../model/actor.js';
import type { App } from '../model/app.js';
import type { Call } from '../model/call.js';
import type { CallingMember } from '../model/member.js';
import type { SecretKeyRow } from '../model/secret-key.js';
import type { LiveSession } from '../model/session.js';
import type { LiveV1Token } from '../model/v1-token.js';

/** A call without a credential. */
export function newCall(req: Request, app: App, authorizeAgain: (call: Call) => Promise<void>): Call {
  const ip = clientIp(req);
  const deviceToken = req.headers['x-device-token'];
  const call: Call = {
    app,
    actor: anonymous(ip),
    ip,
    uid: null,
    session: null,
    v1Token: null,
    secretKey: null,
    member: null,
    language: req.headers['accept-language'],
    // Not a getter, with which the call and its request would survive until a full garbage collection.
    readDevice: () => deviceOf(req.headers),
    // v1 knows neither device tokens nor flows.
    deviceToken: typeof deviceToken === 'string' && req.apiVersion !== 'v1' ? deviceToken : null,
    codeFlow: undefined,
    authorizeAgain: () => authorizeAgain(call),
  };
  return call;
}

type Credential =
  | { session: LiveSession }
  | { v1Token: LiveV1Token }
  | { secretKey: SecretKeyRow }
  | { member: CallingMember };

export function addCredential(call: Call, credential: Credential): void {
  Object.assign(call, credential);
  const { ip } = call;
  if ('secretKey' in credential || 'member' in credential) {
    const { secretKey, member } = call;
    const name = secretKey ? `secret_key:${secretKey.id}` : `member:${member?.uid}`;
    Object.assign(call, { actor: { name, ip }, language: undefined });
    return;
  }
  const { uid } = 'session' in credential ? credential.session : credential.v1Token;
  Object.assign(call, { uid, actor: userActor(uid, ip) });
}

/** The flow of an endpoint that reads one; throws for an invalid flow before any guess is counted. */
export function codeFlowOf(
  headers: IncomingHttpHeaders,
  { readsHeaders }: EndpointMetadata,
): string | null | undefined {
  if (!readsHeaders?.includes('X-Code-Flow')) return undefined;
  const flow = headers['x-code-flow'];
  if (flow === undefined) return null;
  if (typeof flow === 'string' && limits.codeFlowPattern.test(flow)) return flow;
  const fields = { 'X-Code-Flow': ['must be an X-Code-Flow of an earlier response'] };
  throw new ApiError('request/validation-failed', { fields });
}
