// The section Mail: the sender, and the texts of mails with codes by purpose and language.
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useApp } from '../../current-app.tsx';
import { MailPreview } from './mail-preview.tsx';
import { builtIn, MailTexts, type OpenText } from './mail-texts.tsx';
import { SectionForm } from './section-form.tsx';
import { blankAsNull } from './settings-patch.ts';
import { type SectionProps, useSection } from './use-section.ts';

export function Mail({ settings }: SectionProps) {
  const { app } = useApp();
  const [open, setOpen] = useState<OpenText>({ purpose: 'sign_in', language: builtIn });
  const section = useSection({
    settings,
    valuesOf: ({ mail: { from_name, reply_to, texts } }) => ({
      mail: { from_name: from_name ?? '', reply_to: reply_to ?? '', texts },
    }),
    settingsOf: ({ mail: { texts, ...sender } }) => ({ mail: { ...(blankAsNull(sender) as object), texts } }),
  });
  const { form } = section;
  const text = form.values.mail.texts[open.purpose]?.[open.language];
  // The language was discarded or removed: the next text must not be written in it.
  if (!text && open.language !== builtIn) setOpen({ ...open, language: builtIn });
  return (
    <SectionForm
      title="Mail"
      description="Mails with codes go out in the name of your app. The code and the link are always included."
      section={section}
      inputs={['mail.from_name', 'mail.reply_to', `mail.texts.${open.purpose}.${open.language}`]}
      after={<MailPreview open={open} text={text} />}
    >
      <TextInput
        label="Sender name"
        placeholder={app.name}
        description="If empty, the name of the app."
        {...form.getInputProps('mail.from_name')}
      />
      <TextInput
        label="Reply-to"
        type="email"
        placeholder="support@example.com"
        description="Optional: the address that receives replies."
        {...form.getInputProps('mail.reply_to')}
      />
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
