// Records what the service could not do at a provider: the app does not learn the reason, so its team would not know.
import type { ProviderCallFailure } from '@foyer/contract';
import { UnusableKeyError } from '../../engines/keys/index.js';
import type { Deps } from '../deps.js';
import { theService } from '../model/actor.js';
import { ClientRejectedError } from './provider-b.js';

/** The app has no private key, team id or key id. */
export class MissingKeyError extends Error {}

/** The provider does not accept a code, or its response is not one to the request. */
export class CodeRejectedError extends Error {}

export function reasonOf(error: unknown): ProviderCallFailure {
  if (error instanceof MissingKeyError) return 'no-key';
  if (error instanceof UnusableKeyError) return 'unusable-key';
  if (error instanceof CodeRejectedError) return 'code-rejected';
  return error instanceof ClientRejectedError ? 'client-rejected' : 'unavailable';
}

/** Many in a minute share one entry. */
export function recordCallFailure(
  deps: Pick<Deps, 'auditBuffer'>,
  appId: string,
  action: 'provider.exchange_failed' | 'provider.revocation_failed',
  details: { reason: ProviderCallFailure; state?: 'retrying' | 'given-up' },
): void {
  deps.auditBuffer.add({ appId, actor: theService, action, target: 'provider:provider-b', details });
}
