// Previews of mails, and the results of checks of an app's settings.
import * as z from 'zod';
import { listUpTo, textUpTo } from '../answer-values.js';
import { clientIdsPerPlatform, maxEmailCharacters, maxFailureCharacters } from '../limits.js';
import {
  hasButton,
  Language,
  MailBrandingInput,
  MailTextInput,
  mailNotices,
  mailPurposes,
  onlyWithButton,
} from './mail-settings.js';

export const MailDraft = z
  .strictObject({
    purpose: z
      .enum([...mailPurposes, ...mailNotices])
      .meta({ description: 'Which mail.', example: 'sign_in' }),
    language: Language.default('en').meta({
      description:
        'The language of the reader; as in a real mail, another one is used if there are no words in it.',
      example: 'en',
    }),
    text: MailTextInput.optional().meta({
      description: 'The text in this language, to use in place of the stored one. Notices have none.',
      example: {
        subject: 'Your code for Orchard',
        text: 'If you did not ask for this code, ignore this mail.',
      },
    }),
    branding: MailBrandingInput.optional().meta({
      description: 'The branding to use in place of the stored one, as far as it is given.',
    }),
  })
  .refine(({ purpose, text }) => hasButton(purpose) || text?.button === undefined, {
    path: ['text', 'button'],
    message: onlyWithButton,
  });
export type MailDraft = z.infer<typeof MailDraft>;

const email = (description: string, example: string) =>
  textUpTo(maxEmailCharacters).nullable().meta({ description, example });

export const RenderedMail = z
  .object({
    from_name: textUpTo(100).meta({ description: 'The name of the sender.', example: 'Orchard' }),
    from_email: email(
      'The email of the sender (`MAIL_FROM`); null if the service has no mail server.',
      'no-reply@example.com',
    ),
    reply_to: email('The email for replies; null for none.', 'support@example.com'),
    subject: textUpTo(400).meta({ description: 'The subject.', example: '402718 · Your code for Orchard' }),
    text: textUpTo(20_000).meta({ description: 'The plain text part.', example: '402718' }),
    html: textUpTo(60_000).meta({
      description:
        'The HTML part: a document without scripts that loads nothing but the logo. Show it in a sandboxed frame only.',
      example: '<p>402718</p>',
    }),
    language: textUpTo(35).meta({ description: 'The language of the mail.', example: 'en' }),
    words: z
      .object({
        subject: textUpTo(200).meta({
          description: 'The subject.',
          example: '{{code}} is your code for {{app}}',
        }),
        button: textUpTo(60).optional().meta({
          description: 'The label of the button, if the text of the app has its own.',
          example: 'Open {{app}}',
        }),
        text: textUpTo(2_000).meta({ description: 'The text.', example: 'This is your code.' }),
      })
      .meta({ description: 'The words with their placeholders: those of the app, or the built-in ones.' }),
  })
  .meta({ id: 'RenderedMail', description: 'A mail as a user receives it.' });
export type RenderedMail = z.infer<typeof RenderedMail>;

export const MailedTo = z
  .object({
    to: textUpTo(maxEmailCharacters).meta({ description: 'The recipient.', example: 'ada@example.com' }),
  })
  .meta({ id: 'MailedTo', description: 'The mail was queued.' });
export type MailedTo = z.infer<typeof MailedTo>;

export const ProviderCheck = z
  .object({
    ok: z.boolean().meta({ description: 'True if no step failed.', example: false }),
    steps: listUpTo(
      20 + 2 * clientIdsPerPlatform,
      z.object({
        name: textUpTo(300).meta({ description: 'What was checked.', example: 'Private key' }),
        status: z.enum(['passed', 'failed', 'skipped']).meta({
          description: '`skipped`: an earlier step failed, or the step does not apply.',
          example: 'failed',
        }),
        message: textUpTo(maxFailureCharacters).meta({
          description: 'The result, and for a failure what to change.',
          example: 'Upload the private key for Sign in with Apple, a file named AuthKey_….p8.',
        }),
      }),
    ).meta({ description: 'In the order in which problems are best solved.' }),
  })
  .meta({ id: 'ProviderCheck', description: 'The result of each step.' });
export type ProviderCheck = z.infer<typeof ProviderCheck>;
