// A mail that the team previews or tests: with a sample code, and with a text that may not be stored yet.
import type { MailDraft } from '@foyer/contract';
import type { App } from '../model/app.js';
import { isCode } from './compose.js';

/** The code of previews and test mails; it is stored nowhere, so it opens nothing. */
export const sampleCode = '123456';

/** The app with the text and the branding of the draft in place of the stored ones. */
export function withDraft<Mailed extends Pick<App, 'settings'>>(app: Mailed, draft: MailDraft): Mailed {
  const { purpose, language, text } = draft;
  const mail = withBranding(app.settings.mail, draft.branding);
  if (text === undefined || !isCode(purpose)) return { ...app, settings: { ...app.settings, mail } };
  const tag = language.toLowerCase();
  const stored = Object.entries(mail.texts[purpose] ?? {}).filter(([other]) => other.toLowerCase() !== tag);
  const texts = { ...mail.texts, [purpose]: { ...Object.fromEntries(stored), [language]: text } };
  return { ...app, settings: { ...app.settings, mail: { ...mail, texts } } };
}

type MailSettings = App['settings']['mail'];

function withBranding(mail: MailSettings, given: MailDraft['branding'] = {}): MailSettings {
  const { branding } = mail;
  const { logo_url = branding.logo_url, accent_color = branding.accent_color } = given;
  const { button = branding.button, footer = branding.footer } = given;
  return { ...mail, branding: { logo_url, accent_color, button, footer } };
}
