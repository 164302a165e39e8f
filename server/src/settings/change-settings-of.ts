// A change of the settings by a call, and the mail to the owners if it changes settings of sign-in.
import type { AppSettings, AppSettingsPatch } from '@foyer/contract';
import type { Deps } from '../deps.js';
import { notifyOwners } from '../mail/notify-owners.js';
import type { Call } from '../model/call.js';
import { updateSettings } from './settings.js';

/** `requireCurrent` throws if the settings, as of the lock, are not those that the caller has seen. */
export async function changeSettingsOf(
  deps: Deps,
  call: Call,
  patch: AppSettingsPatch,
  requireCurrent: (settings: AppSettings) => void = () => {},
): Promise<AppSettings> {
  const by = changedBy(call);
  const consoleApp = await deps.apps.console();
  const settings = await updateSettings(deps, call, patch, {
    requireCurrent,
    onSignInChange: (tx, app, changed) =>
      notifyOwners(tx, deps, { consoleApp, app }, { settings: changed, by }),
  });
  deps.apps.forget();
  return settings;
}

/** Names to the owners who changed the settings. A key is named by its id, which the list of keys shows. */
function changedBy({ member, secretKey }: Call): string {
  return member ? member.session.email : `The secret key ${secretKey?.id}`;
}
