// The scope that a change of each setting requires. A setting by which somebody could become a user of the app, or have
// users send their credentials elsewhere, belongs to `sign-in:manage`.
import type { RateLimitGroup } from './rate-limit-rules.js';
import type { AppSettingsPatch } from './schemas/apps.js';
import type { SecretKeyScope } from './scopes.js';

type SettingScope = Extract<SecretKeyScope, 'settings:manage' | 'sign-in:manage'>;

export const settingScopes: Record<Exclude<keyof AppSettingsPatch, 'rate_limits'>, SettingScope> = {
  // The client ids decide which ID tokens are accepted: one more is another party that can issue them.
  provider_a: 'sign-in:manage',
  provider_b: 'sign-in:manage',
  providers: 'sign-in:manage',
  // A page at one of them receives the codes of users who come back from a provider.
  redirect_uris: 'sign-in:manage',
  // The origins decide which pages can ask users for a signature.
  passkeys: 'sign-in:manage',
  // The magic link contains the code.
  deep_link: 'sign-in:manage',
  // The sender and the words of the mails that users trust with their codes, and where replies are sent.
  mail: 'sign-in:manage',
  allowed_origins: 'sign-in:manage',
  sign_up: 'sign-in:manage',
  second_factor: 'sign-in:manage',
  // Without it a user does not learn of the sign-in of somebody else.
  new_device_notice: 'sign-in:manage',
  // How long a stolen session can do everything.
  recent_sign_in_minutes: 'sign-in:manage',
  access_token_seconds: 'settings:manage',
  token_algorithm: 'settings:manage',
  refuse_common_passwords: 'settings:manage',
  tiers: 'settings:manage',
  files: 'settings:manage',
  limits: 'settings:manage',
  data: 'settings:manage',
  push: 'settings:manage',
  v1_sunset_at: 'settings:manage',
};

/** The groups without whose limits passwords and codes could be guessed, or a user not be notified. */
const guardsSignIn: readonly string[] = ['sign_in', 'codes', 'refresh'] satisfies RateLimitGroup[];

/** The settings of a patch that require the scope, by their names; `rate_limits.<group>` for a factor. */
export function settingsWithScope(patch: AppSettingsPatch, scope: SettingScope): string[] {
  const { rate_limits, ...others } = patch;
  const names = (Object.keys(others) as (keyof typeof others)[]).filter(
    (name) => others[name] !== undefined && settingScopes[name] === scope,
  );
  const groups = Object.keys(rate_limits ?? {}).filter(
    (group) => guardsSignIn.includes(group) === (scope === 'sign-in:manage'),
  );
  return [...names, ...groups.map((group) => `rate_limits.${group}`)];
}
