// A mail that the team previews or tests: with a sample code, and with a text that may not be stored yet.
import type { MailDraft } from '@foyer/contract';
import type { App } from '../model/app.js';

/** The code of previews and test mails; it is stored nowhere, so it opens nothing. */
export const sampleCode = '123456';

/** The app with the text of the draft in place of the stored one. */
export function withDraft<Mailed extends Pick<App, 'settings'>>(app: Mailed, draft: MailDraft): Mailed {
  const { purpose, language, text } = draft;
  if (text === undefined) return app;
  const { mail } = app.settings;
  const tag = language.toLowerCase();
  const stored = Object.entries(mail.texts[purpose] ?? {}).filter(([other]) => other.toLowerCase() !== tag);
  const texts = { ...mail.texts, [purpose]: { ...Object.fromEntries(stored), [language]: text } };
  return { ...app, settings: { ...app.settings, mail: { ...mail, texts } } };
}
