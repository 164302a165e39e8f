// What only some inputs of a call require of its caller, for routes; the guard checks what all calls of an endpoint require.
import { type AppSettingsPatch, roleHasScope, type SecretKeyScope, settingsWithScope } from '@foyer/contract';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import type { Call } from '../model/call.js';
import type { CallingMember } from '../model/member.js';
import { signedInRecently } from '../model/recent-sign-in.js';
import { refusedKeyEntry } from '../model/secret-key.js';

/** Requires the scope of a secret key, or a role with it of a team member; `fields` name the input that needs it. */
export function requireScope(
  deps: Pick<Deps, 'auditBuffer'>,
  { app, ip, secretKey, member }: Call,
  scope: SecretKeyScope,
  fields: string[],
): void {
  if (member && !roleHasScope(member.role ?? 'viewer', scope))
    throw new ApiError('console/insufficient-role');
  if (!secretKey || secretKey.scopes.includes(scope)) return;
  const refusal = { reason: 'scope-missing', scope };
  deps.auditBuffer.add(refusedKeyEntry(secretKey, refusal, { appId: app.id, ip }));
  const sentences = [`requires the scope ${scope}`];
  throw new ApiError('admin/insufficient-scope', {
    fields: Object.fromEntries(fields.map((name) => [name, sentences])),
  });
}

/** A secret key, which has no sign-in, needs none. */
export async function requireRecentMember(
  deps: Pick<Deps, 'apps' | 'clock'>,
  { member }: { member: CallingMember | null },
): Promise<void> {
  if (!member) return;
  const signIn = { app: await deps.apps.console(), session: member.session };
  if (!signedInRecently(deps, signIn)) throw new ApiError('auth/requires-recent-login');
}

/** A secret key needs the scope of each setting, a team member a recent sign-in for those that are sensitive. */
export async function requireMayChangeSettings(
  deps: Pick<Deps, 'auditBuffer' | 'apps' | 'clock'>,
  call: Call,
  patch: AppSettingsPatch,
): Promise<void> {
  for (const scope of ['settings:manage', 'sign-in:manage'] as const) {
    const changed = settingsWithScope(patch, scope);
    if (changed.length > 0) requireScope(deps, call, scope, changed);
  }
  if (needsRecentSignIn(patch)) await requireRecentMember(deps, call);
}

/**
 * Whether a team member needs a recent sign-in: for settings by which somebody could become a user, the credentials of push,
 * and the date from which v1 refuses its users.
 */
function needsRecentSignIn(patch: AppSettingsPatch): boolean {
  if (patch.push !== undefined || patch.v1_sunset_at !== undefined) return true;
  return settingsWithScope(patch, 'sign-in:manage').length > 0;
}
