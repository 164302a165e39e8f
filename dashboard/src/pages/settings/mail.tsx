// The section Mail: the sender, the branding, and the texts of mails with codes by purpose and language.

import type { MailBrandingInput } from '@foyer/contract';
import { Fieldset, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useApp } from '../../current-app.tsx';
import { MailPreview } from './mail-preview.tsx';
import { builtIn, MailTexts, type OpenText } from './mail-texts.tsx';
import { SectionForm } from './section-form.tsx';
import { blankAsNull, faultsIn } from './settings-patch.ts';
import { type SectionProps, useSection } from './use-section.ts';

export function Mail({ settings }: SectionProps) {
  const { app } = useApp();
  const [open, setOpen] = useState<OpenText>({ purpose: 'sign_in', language: builtIn });
  const section = useSection({
    settings,
    valuesOf: ({ mail: { from_name, reply_to, branding, texts } }) => ({
      mail: {
        from_name: from_name ?? '',
        reply_to: reply_to ?? '',
        branding: {
          logo_url: branding.logo_url ?? '',
          accent_color: branding.accent_color ?? '',
          button: branding.button ?? '',
          footer: branding.footer ?? '',
        },
        texts,
      },
    }),
    settingsOf: ({ mail: { texts, ...sender } }) => ({ mail: { ...(blankAsNull(sender) as object), texts } }),
  });
  const { form } = section;
  const text = form.values.mail.texts[open.purpose]?.[open.language];
  const branding = blankAsNull(form.values.mail.branding) as MailBrandingInput;
  const isBrandingValid = Object.keys(faultsIn({ mail: { branding } })).length === 0;
  // The language was discarded or removed: the next text must not be written in it.
  if (!text && open.language !== builtIn) setOpen({ ...open, language: builtIn });
  return (
    <SectionForm
      title="Mail"
      description="Mails go out in the name of your app and in the language of the user. The code and the link are always included."
      section={section}
      inputs={[
        'mail.from_name',
        'mail.reply_to',
        'mail.branding',
        `mail.texts.${open.purpose}.${open.language}`,
      ]}
      after={
        <MailPreview
          // The preview follows the text that is open.
          key={`${open.purpose} ${open.language}`}
          open={open}
          text={text}
          languages={Object.keys(form.values.mail.texts[open.purpose] ?? {})}
          branding={isBrandingValid ? branding : undefined}
          sender={form.values.mail}
        />
      }
    >
      <TextInput
        label="Sender name"
        placeholder={app.name}
        description="If empty, the name of the app. The texts of mails name the app, whatever the sender is called."
        {...form.getInputProps('mail.from_name')}
      />
      <TextInput
        label="Reply-to"
        type="email"
        placeholder="support@example.com"
        description="Optional: the address that receives replies."
        {...form.getInputProps('mail.reply_to')}
      />
      <Fieldset legend="Branding">
        <Stack>
          <TextInput
            label="Logo"
            placeholder="https://app.example.com/logo.png"
            description="The https URL of a PNG or JPEG, visible on white and on black. Test mails show it, the preview does not."
            inputMode="url"
            spellCheck={false}
            {...form.getInputProps('mail.branding.logo_url')}
          />
          <TextInput
            label="Accent color"
            placeholder="#1a73e8"
            description="Of the button. Its label is white, or black where white is hard to read."
            spellCheck={false}
            {...form.getInputProps('mail.branding.accent_color')}
          />
          <TextInput
            label="Button"
            description="The label of the link in sign-in mails, in every language. If empty, one in the reader's language."
            {...form.getInputProps('mail.branding.button')}
          />
          <TextInput
            label="Footer"
            placeholder={`${app.name} Ltd, 1 Example Street, London`}
            description="A line at the end of every mail to users."
            {...form.getInputProps('mail.branding.footer')}
          />
        </Stack>
      </Fieldset>
      <MailTexts
        texts={form.values.mail.texts}
        errors={form.errors}
        open={open}
        onOpen={setOpen}
        onChange={(texts) => form.setFieldValue('mail.texts', texts)}
      />
    </SectionForm>
  );
}
