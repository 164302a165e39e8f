// The metadata of a secret key, without the key.
import type { SecretKeyScope } from '@foyer/contract';

export type SecretKey = {
  id: string;
  name: string;
  lastFour: string;
  scopes: string[];
  createdAt: Date;
  lastUsedAt: Date | null;
  expiresAt: Date | null;
  revokedAt: Date | null;
};

export type SecretKeyRow = Pick<SecretKey, 'id' | 'scopes' | 'lastUsedAt' | 'expiresAt' | 'revokedAt'>;

/** The audit entry of a refused key; null for an unknown one. Entries of a known key are recorded once a minute and reason. */
export function refusedKeyEntry(
  key: Pick<SecretKey, 'id'> | null,
  refusal: { reason: string; scope: SecretKeyScope | undefined },
  { appId, ip }: { appId: string; ip: string | null },
) {
  const { reason, scope } = refusal;
  const name = key && `secret_key:${key.id}`;
  return {
    appId,
    actor: { name: name ?? 'anonymous', ip },
    action: 'secret_key.refused' as const,
    ...(name !== null && { target: name, onceAMinute: `secret_key.refused ${reason}` }),
    details: { reason, ...(scope !== undefined && { scope }) },
  };
}
