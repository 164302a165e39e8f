// The form of one section of the settings: sends what it changed, and follows changes of others while it has none itself.
import type { AppSettings, AppSettingsPatch } from '@foyer/contract';
import { useEffect } from 'react';
import { dataOf } from '../../api.ts';
import { ApiProblem } from '../../api-problem.ts';
import { useApiForm } from '../../components/api-form.ts';
import { notifySaved } from '../../components/notify.ts';
import { useUnsavedChanges } from '../../components/unsaved-changes.tsx';
import { useApp } from '../../current-app.tsx';
import { blankAsNull, changesBetween, faultsIn } from './settings-patch.ts';
import { storeSettings } from './settings-query.ts';

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
  const api = useApiForm<Values, AppSettings>({
    initialValues: valuesOf(settings),
    ...(inputOf && { inputOf }),
    send: async (values: Values) => {
      const before = settingsOf(api.form.getInitialValues());
      const patch = changesBetween(before, settingsOf(values));
      requireValid(patch);
      if (Object.keys(patch).length === 0) return settings;
      return dataOf(current.api.apps.updateSettings({ body: patch }));
    },
    onSaved: (saved) => {
      storeSettings(current, saved);
      api.form.setInitialValues(valuesOf(saved));
      api.form.reset();
      // The values that were sent may hold a private key.
      api.saving.reset();
      notifySaved('The settings are saved.');
    },
  });
  const { form } = api;
  const dirty = form.isDirty();
  useUnsavedChanges(dirty);

  // biome-ignore lint/correctness/useExhaustiveDependencies: only newer settings replace the values.
  useEffect(() => {
    if (dirty) return;
    form.setInitialValues(valuesOf(settings));
    form.reset();
  }, [settings]);

  return { ...api, dirty };
}

/** Throws what the service would answer. */
function requireValid(patch: AppSettingsPatch): void {
  const fields = faultsIn(patch);
  if (Object.keys(fields).length === 0) return;
  throw new ApiProblem('request/validation-failed', 'Some settings are not valid.', { status: 422, fields });
}
