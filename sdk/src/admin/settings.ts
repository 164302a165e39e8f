// `admin.settings`: the settings of the app.

import type { CallOptions, RepeatableCallOptions } from '../api.js';
import type { AppSettings, AppSettingsPatch } from '../generated/admin-models.js';
import type { AdminCall } from './call.js';

export interface AdminSettings {
  /** As they are now, with the defaults of those that nobody set. */
  get(options?: RepeatableCallOptions): Promise<AppSettings>;
  /**
   * Changes what is given: objects merge key by key, lists replace, `null` clears. An unknown key is refused.
   *
   * @example
   * await admin.settings.update({ deep_link: 'https://app.example.com/sign-in', mail: { from_name: 'Example' } });
   */
  update(patch: AppSettingsPatch, options?: CallOptions): Promise<AppSettings>;
}

/** @internal */
export function createAdminSettings(call: AdminCall): AdminSettings {
  return {
    get: (options) => call<AppSettings>('GET /admin/settings', {}, options),
    update: (patch, options) => call<AppSettings>('PATCH /admin/settings', { body: patch }, options),
  };
}
