// An ID token that is refused: the client gets one answer for all reasons, the team of the app the reason and what the token
// claims, since nothing else shows why sign-in fails.
import type { ErrorCode, TokenRefusal } from '@foyer/contract';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { anonymous } from '../audit/record-failure.js';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { shownValue } from '../lib/shown-value.js';
import type { Call } from '../model/call.js';
import type { ProviderProof } from './proof.js';

export class RefusedToken extends ApiError {
  readonly reason: TokenRefusal;

  constructor(reason: TokenRefusal, proof: ProviderProof, code: ErrorCode = 'auth/invalid-credential') {
    const claims = 'idToken' in proof ? claimsOf(proof.idToken) : {};
    super(code, { cause: reason, auditDetails: { token: reason, ...claims } });
    this.reason = reason;
  }
}

type Client = Pick<Call, 'app' | 'ip'>;

/** Records a refusal for the team of the app, and passes on every error. */
export async function recordRefusals<Result>(
  deps: Pick<Deps, 'auditBuffer' | 'logger'>,
  call: Client,
  proof: ProviderProof,
  verify: () => Promise<Result>,
): Promise<Result> {
  try {
    return await verify();
  } catch (error) {
    if (error instanceof RefusedToken) recordRefusal(deps, call, proof.provider, error);
    throw error;
  }
}

export function recordRefusal(
  deps: Pick<Deps, 'auditBuffer' | 'logger'>,
  { app, ip }: Client,
  provider: string,
  refusal: RefusedToken,
): void {
  const { token: reason, ...claims } = refusal.auditDetails as { token: TokenRefusal };
  const details = { reason, ...claims };
  deps.logger.info({ app_id: app.id, provider, ...details }, 'an ID token was refused');
  deps.auditBuffer.add({
    appId: app.id,
    actor: anonymous(ip),
    action: 'provider.token_refused',
    about: `provider:${provider}`,
    kind: `${provider} ${reason}`,
    details,
  });
}

const maxAudiences = 3;

/** What names the client and the issuer, of a token that anybody may have written. Never the user. */
function claimsOf(idToken: string): Record<string, string> {
  const { aud, iss, azp } = readOrEmpty(() => decodeJwt(idToken));
  const { kid } = readOrEmpty(() => decodeProtectedHeader(idToken));
  const audiences = Array.isArray(aud) ? aud.slice(0, maxAudiences) : [aud];
  const claims = {
    aud: audiences.map(shownValue).join(' '),
    iss: shownValue(iss),
    azp: shownValue(azp),
    kid: shownValue(kid),
  };
  return Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== ''));
}

function readOrEmpty(read: () => object): Record<string, unknown> {
  try {
    return { ...read() };
  } catch {
    return {};
  }
}
