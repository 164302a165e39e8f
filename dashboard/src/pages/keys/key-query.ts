// How changes reach the list of keys, and its words.
import { type SecretKeyScope, secretKeyScopes } from '@foyer/contract';
import type { CurrentApp } from '../../current-app.tsx';
import { queryClient } from '../../query-client.ts';

export async function refreshKeys({ app }: CurrentApp): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: [app.id, 'keys'] });
}

export function scopesText(scopes: readonly SecretKeyScope[]): string {
  return scopes.length === secretKeyScopes.length ? 'All scopes' : scopes.join(', ');
}
