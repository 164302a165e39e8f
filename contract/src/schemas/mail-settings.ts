// The settings of mails: their sender, their branding, and an app's own texts.
import * as z from 'zod';
import { text, trimmedText } from '../input-values.js';
import { languagesPerMail, maxUrlCharacters } from '../limits.js';
import { isVisible, linesWithoutControls, withoutControls } from '../typed-text.js';
import { isHttpsUrl } from '../url.js';
import { EmailInput } from './credentials.js';

export const mailPurposes = ['sign_in', 'reset', 'verification', 'email_change'] as const;

/** The notices about changes of an account, and about sign-ins. */
export const mailNotices = [
  'password_changed',
  'email_changed',
  'provider_linked',
  'provider_unlinked',
  'passkey_added',
  'passkey_removed',
  'unproven_removed',
  'second_factor_enrolled',
  'second_factor_removed',
  'recovery_code_used',
  'new_device',
  'export_ready',
  'account_deleted',
] as const;

/** The languages of the built-in words, as tags. */
export const mailLanguages = [
  'en',
  'de',
  'fr',
  'es',
  'pt-BR',
  'it',
  'nl',
  'pl',
  'tr',
  'ar',
  'ja',
  'zh-Hans',
] as const;
export type MailLanguage = (typeof mailLanguages)[number];

const oneLine = (max: number) =>
  text({ min: 1, max }).refine((words) => !/\p{Cc}/u.test(words), 'must be one line');

/** The mails with a button: one that opens the app through the magic link. */
export function hasButton(purpose: string): boolean {
  return purpose === 'sign_in';
}

export const onlyWithButton = 'is only for the mail sign_in, which has a button';

export const MailText = z.strictObject({
  subject: oneLine(200).meta({ description: 'The subject of the mail.' }),
  button: oneLine(60)
    .optional()
    .meta({ description: 'The label of the button; without it that of the branding, or the built-in one.' }),
  text: text({ min: 1, max: 2_000 }).meta({ description: 'Plain text below the code.' }),
});

/** The values that `{{app}}` and the others are replaced with in an app's own texts. */
export const mailPlaceholders = ['app', 'code', 'minutes'] as const;
const shownPlaceholders = mailPlaceholders.map((name) => `{{${name}}}`);

function hasKnownPlaceholders(words: string): boolean {
  return (words.match(/\{\{[^{}]*\}\}/g) ?? []).every((placeholder) =>
    shownPlaceholders.includes(placeholder),
  );
}

/** What mail programs turn into links: a subject is read before the mail is opened. */
function hasNoUrl(subject: string): boolean {
  const words = subject.replace(/\{\{[^{}]*\}\}/g, 'app');
  return !/:\/\/|[\p{L}\p{N}-]{2,}[.\u3002\uff0e\uff61]\p{L}{2,}/u.test(words);
}

const onlyKnown = `may contain only the placeholders ${shownPlaceholders.join(', ')}`;

/** Texts that were stored before placeholders existed may contain others, which stay as they are. */
export const MailTextInput = z.strictObject({
  subject: MailText.shape.subject
    .overwrite(withoutControls)
    .refine(isVisible, 'must not be empty')
    .refine(hasKnownPlaceholders, onlyKnown)
    .refine(hasNoUrl, 'must not contain a URL')
    .meta({
      description:
        'The subject of the mail, without a URL. Unless it contains `{{code}}`, the code is put before it. Characters that ' +
        'change the direction of the text are dropped, here and in the other words.',
    }),
  button: MailText.shape.button
    .unwrap()
    .overwrite(withoutControls)
    .refine(isVisible, 'must not be empty')
    .refine(hasKnownPlaceholders, onlyKnown)
    .optional()
    .meta({
      description:
        'Of `sign_in` only: the label of the button, with the same placeholders. Without it the label of the branding ' +
        'is used, or the built-in one.',
    }),
  text: MailText.shape.text
    .overwrite(linesWithoutControls)
    .refine(isVisible, 'must not be empty')
    .refine(hasKnownPlaceholders, onlyKnown)
    .meta({
      description:
        `Plain text below the code. Like the subject it may contain ${shownPlaceholders.map((each) => `\`${each}\``).join(', ')}: the name ` +
        'of the app, the code, and the minutes for which it is valid.',
    }),
});

const line = (max: number) => oneLine(max).overwrite(withoutControls).refine(isVisible, 'must not be empty');

const logoUrl = text({ max: maxUrlCharacters }).refine(
  (url) => isHttpsUrl(url) && !/[\s<>"'\\]/.test(url),
  'must be an https URL',
);
const logoMeta = {
  description:
    'The https URL of a PNG or JPEG, shown 40 pixels high; null for none. Readers load it from there, in a light or a ' +
    'dark mail.',
  example: 'https://app.example.com/logo.png',
};

const branding = {
  logo_url: logoUrl.nullable().meta(logoMeta),
  accent_color: text({ max: 7 })
    .regex(/^#[0-9A-Fa-f]{6}$/, 'must be a color such as #1a73e8')
    .nullable()
    .meta({
      description:
        'The color of the button; its label is white, or black where white is hard to read. Null for the color of the text.',
      example: '#1a73e8',
    }),
  button: line(60).nullable().meta({
    description:
      "The label of the link in sign-in mails, in every language; null for one in the reader's language.",
    example: null,
  }),
  footer: line(200).nullable().meta({
    description: 'A line of plain text at the end of each mail to users; null for none.',
    example: 'Example Ltd, 1 Example Street, London',
  }),
};
const brandingGroup = { description: 'How mails to users look. Everything is shown as text, never as HTML.' };

/** Mail programs show no SVG. One that was stored before this was refused stays. */
export const MailBrandingInput = z
  .strictObject({
    ...branding,
    logo_url: logoUrl
      .refine(
        (url) => !/\.svg(?:[?#]|$)/i.test(url),
        'must be a PNG or JPEG, because mail programs show no SVG',
      )
      .nullable()
      .meta(logoMeta),
  })
  .partial()
  .meta(brandingGroup);
export type MailBrandingInput = z.infer<typeof MailBrandingInput>;

export const Language = text({ max: 35 }).regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, 'must be a language tag');

const sender = {
  from_name: text({ min: 1, max: 100 })
    .refine((name) => !/[\p{Cc}<>"]/u.test(name), 'must be plain text')
    .nullable()
    .meta({
      description: 'The name of the sender; null for the name of the app.',
      example: null,
    }),
  reply_to: EmailInput.nullable().meta({
    description: 'The email address for replies; null for none.',
    example: null,
  }),
};

/** Cleaned like the name of an app. */
const fromNameInput = trimmedText({ min: 1, max: 100 })
  .refine((name) => !/[<>"]/.test(name), 'must be plain text')
  .nullable()
  .meta({
    description:
      'The name of the sender; null for the name of the app. In mails, `example.com` is `example com`.',
    example: null,
  });

const group = { description: 'The sender, the branding and the texts of mails.' };

export const MailSettings = z
  .object({
    ...sender,
    branding: z.object(branding).meta(brandingGroup),
    texts: z.partialRecord(z.enum(mailPurposes), z.record(z.string(), MailText)).meta({
      description:
        `Custom texts by purpose and language tag, at most ${languagesPerMail} languages each. They are used for readers ` +
        'of their languages, and one in English for all others. Without them the built-in words are used, in ' +
        `${mailLanguages.length} languages: ${mailLanguages.map((tag) => `\`${tag}\``).join(', ')}.`,
      example: {},
    }),
  })
  .meta(group);

export const MailSettingsInput = z
  .strictObject({
    ...sender,
    from_name: fromNameInput,
    branding: MailBrandingInput,
    texts: z
      .partialRecord(z.enum(mailPurposes), z.record(Language, MailTextInput.nullable()).nullable())
      .superRefine((texts, context) => {
        for (const [purpose, languages] of Object.entries(texts)) {
          for (const [language, mailText] of Object.entries(languages ?? {})) {
            if (hasButton(purpose) || mailText?.button === undefined) continue;
            context.addIssue({
              code: 'custom',
              path: [purpose, language, 'button'],
              message: onlyWithButton,
            });
          }
        }
      }),
  })
  .partial()
  .meta(group);
