// `admin.settings`: the settings of the app.

import type { CallOptions, RepeatableCallOptions } from '../api.js';
import type {
  AppSettings,
  AppSettingsPatch,
  MailDraft,
  ProviderCheck,
  RenderedMail,
} from '../generated/admin-models.js';
import type { Provider } from '../generated/models.js';
import type { AdminCall } from './call.js';

export interface AdminSettings {
  /** The current settings, with defaults for those that are not set. */
  get(options?: RepeatableCallOptions): Promise<AppSettings>;
  /**
   * Changes the given settings: objects merge key by key, lists are replaced, `null` clears. Unknown keys are rejected.
   *
   * @example
   * await admin.settings.update({ deep_link: 'https://app.example.com/sign-in', mail: { from_name: 'Example' } });
   */
  update(patch: AppSettingsPatch, options?: CallOptions): Promise<AppSettings>;
  /** Renders a mail with a sample code, as its reader would receive it. Nothing is sent. */
  previewMail(draft: MailDraft, options?: RepeatableCallOptions): Promise<RenderedMail>;
  /** Checks the settings of an identity provider step by step; each step that failed says what to change. */
  checkProvider(provider: Provider, options?: RepeatableCallOptions): Promise<ProviderCheck>;
}

/** @internal */
export function createAdminSettings(call: AdminCall): AdminSettings {
  return {
    get: (options) => call<AppSettings>('GET /admin/settings', {}, options),
    update: (patch, options) => call<AppSettings>('PATCH /admin/settings', { body: patch }, options),
    previewMail: (draft, options) =>
      call<RenderedMail>('POST /admin/settings/preview-mail', { body: draft }, options),
    checkProvider: (provider, options) =>
      call<ProviderCheck>('POST /admin/settings/check-provider', { body: { provider } }, options),
  };
}
