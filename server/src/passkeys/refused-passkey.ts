// A passkey that is refused: the client gets one answer for all reasons, the team of the app the reason and the claimed origin,
// since nothing else shows why sign-in fails.
import type { ErrorCode, PasskeyRefusal } from '@foyer/contract';
import { anonymous } from '../audit/record-failure.js';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { shownValue } from '../lib/shown-value.js';
import type { Call } from '../model/call.js';

/** Whom a refusal is about, once the signature was verified, and the origin that the client claims. */
type About = { uid?: string; origin?: unknown };

export class RefusedPasskey extends ApiError {
  readonly reason: PasskeyRefusal;
  /** The account, once the signature was verified. */
  readonly about: { uid?: string };

  constructor(reason: PasskeyRefusal, { uid, origin }: About = {}) {
    const code: ErrorCode = 'auth/invalid-credential';
    const claimed = shownValue(origin);
    super(code, {
      cause: reason,
      auditDetails: { passkey: reason, ...(claimed !== '' && { origin: claimed }) },
      // Only who has the credential id, which nobody can guess, learns that it is unknown; the browser can then forget it.
      ...(reason === 'unknown-passkey' && { fields: { 'credential.id': ['is not a passkey of this app'] } }),
    });
    this.reason = reason;
    this.about = uid === undefined ? {} : { uid };
  }
}

type Client = Pick<Call, 'app' | 'actor' | 'ip'>;

/** Records a refusal for the team of the app, and passes on every error. */
export async function recordPasskeyRefusals<Result>(
  deps: Pick<Deps, 'auditBuffer' | 'logger'>,
  call: Client,
  verify: () => Promise<Result>,
): Promise<Result> {
  try {
    return await verify();
  } catch (error) {
    if (error instanceof RefusedPasskey) recordRefusal(deps, call, error);
    throw error;
  }
}

function recordRefusal(
  deps: Pick<Deps, 'auditBuffer' | 'logger'>,
  { app, actor, ip }: Client,
  { reason, about, auditDetails: { origin } }: RefusedPasskey,
): void {
  const details = { reason, ...(origin !== undefined && { origin }) };
  deps.logger.info({ app_id: app.id, ...details }, 'a passkey was refused');
  const entry = { appId: app.id, action: 'passkey.refused', details } as const;
  if (about.uid !== undefined) deps.auditBuffer.add({ ...entry, ...about, actor });
  else deps.auditBuffer.add({ ...entry, actor: anonymous(ip), kind: reason });
}
