// The settings of all team accounts, which are those of the app `console`; its other settings are not offered.
import type { contract, TeamSettings } from '@foyer/contract';
import type { z } from 'zod';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { notifyOwners } from '../mail/notify-owners.js';
import { type App, secondFactorRule } from '../model/app.js';
import type { TeamCall } from '../model/call.js';
import { updateSettings } from '../settings/settings.js';
import { hasSecondFactor } from './find-member.js';

type Patch = z.infer<typeof contract.console.updateSettings.body>;

export async function readTeamSettings(
  deps: Pick<Deps, 'apps'>,
  { app }: Pick<TeamCall, 'app'>,
): Promise<TeamSettings> {
  return serializeTeamSettings(await deps.apps.fresh(app.id));
}

/** Who requires a second factor must have one: otherwise the call would lock its own caller out. */
export async function updateTeamSettings(deps: Deps, call: TeamCall, patch: Patch): Promise<TeamSettings> {
  const { app, member } = call;
  if (patch.second_factor === 'required' && !hasSecondFactor(member))
    throw new ApiError('auth/second-factor-required');
  const by = member.session.email;
  await updateSettings(deps, call, patch, {
    onSignInChange: (tx, changed, settings) =>
      notifyOwners(tx, deps, { consoleApp: app, app: changed }, { settings, by }),
  });
  deps.apps.forget();
  return readTeamSettings(deps, call);
}

function serializeTeamSettings(app: App): TeamSettings {
  return { second_factor: secondFactorRule(app) === 'required' ? 'required' : 'optional' };
}
