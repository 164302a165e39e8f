// What is copied from the settings of another app: all that does not name one app, a credential or a date.
import type { AppSettings, AppSettingsPatch } from '@foyer/contract';
import { isSame } from '../../components/form-values.ts';
import { changesBetween } from './settings-patch.ts';

const copied = {
  access_token_seconds: 'Access token lifetime',
  token_algorithm: 'Token signature',
  recent_sign_in_minutes: 'Recent sign-in',
  second_factor: 'Second factor',
  refuse_common_passwords: 'Common passwords',
  new_device_notice: 'Notice of a new device',
  sign_up: 'Who may sign up',
  tiers: 'Loyalty tiers',
  rate_limits: 'Rate limits',
  limits: 'Hourly limits',
  files: 'Limits of files',
  data: 'Limits of data',
  mail: 'Texts of mails',
} as const satisfies Partial<Record<keyof AppSettings, string>>;

type Copied = keyof typeof copied;

/** In the order of the list of changes. */
export const copiedNames: readonly string[] = Object.values(copied);

/** The change that makes `to` like `from`, and the names of what differs. */
export function copiedFrom(from: AppSettings, to: AppSettings): { patch: AppSettingsPatch; names: string[] } {
  const wanted = valuesOf(from);
  const before = valuesOf(to);
  const names = (Object.keys(copied) as Copied[]).filter((name) => !isSame(before[name], wanted[name]));
  return { patch: changesBetween(before, wanted), names: names.map((name) => copied[name]) };
}

/** The sender of mails belongs to one app. */
function valuesOf(settings: AppSettings): Record<Copied, unknown> {
  const names = Object.keys(copied) as Copied[];
  const values = Object.fromEntries(names.map((name) => [name, settings[name]])) as Record<Copied, unknown>;
  return { ...values, mail: { texts: settings.mail.texts } };
}
