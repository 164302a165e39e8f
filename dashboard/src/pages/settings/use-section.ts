// The form of one section of the settings: sends what it changed, checked with the schema of the contract.
import type { AppSettings, AppSettingsPatch } from '@foyer/contract';
import { ApiProblem } from '../../api-problem.ts';
import { useStoredForm } from '../../components/api-form.ts';
import { notifySaved } from '../../components/notify.ts';
import { useApp } from '../../current-app.tsx';
import { storeSettings } from '../../settings-query.ts';
import { blankAsNull, changesBetween, faultsIn } from './settings-patch.ts';

export type SectionProps = { settings: AppSettings };

type Options<Values extends Record<string, unknown>> = {
  settings: AppSettings;
  valuesOf: (settings: AppSettings) => Values;
  /** The values as settings; by default an empty input is null. */
  settingsOf?: (values: Values) => unknown;
  /** The path of the input of a setting, where it differs. */
  inputOf?: (field: string) => string;
};

export function useSection<Values extends Record<string, unknown>>(options: Options<Values>) {
  const { settings, valuesOf, settingsOf = blankAsNull, inputOf } = options;
  const current = useApp();
  const section = useStoredForm<Values, AppSettings>({
    stored: settings,
    valuesOf,
    ...(inputOf && { inputOf }),
    send: async (values, before) => {
      const patch = changesBetween(settingsOf(before), settingsOf(values));
      requireValid(patch);
      if (Object.keys(patch).length === 0) return settings;
      return current.api.settings.update(patch);
    },
    onSaved: (saved) => {
      storeSettings(current, saved);
      // The values that were sent may hold a private key.
      section.saving.reset();
      notifySaved('The settings are saved.');
    },
  });
  return section;
}

/** Throws what the service would answer. */
function requireValid(patch: AppSettingsPatch): void {
  const fields = faultsIn(patch);
  if (Object.keys(fields).length === 0) return;
  throw new ApiProblem('request/validation-failed', 'Nothing is saved yet: correct the marked settings.', {
    status: 422,
    fields,
  });
}
