// The texts of one mail in one language.
import { type AppSettings, hasButton } from '@foyer/contract';
import { Button, Fieldset, Group, NativeSelect, Stack, Text, Textarea, TextInput } from '@mantine/core';
import type { FormErrors } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { useApp } from '../../current-app.tsx';
import { faultsIn } from './settings-patch.ts';

type Texts = AppSettings['mail']['texts'];
type Purpose = keyof Texts;
export type MailText = NonNullable<Texts[Purpose]>[string];
export type OpenText = { purpose: Purpose; language: string };

export const purposeNames: Record<Purpose, string> = {
  sign_in: 'Sign-in code',
  reset: 'New password',
  verification: 'Confirm email',
  email_change: 'Change of email',
};

export const builtIn = 'en';

type Props = {
  texts: Texts;
  errors: FormErrors;
  open: OpenText;
  onOpen: (open: OpenText) => void;
  onChange: (texts: Texts) => void;
};

export function MailTexts({ texts, errors, open, onOpen, onChange }: Props) {
  const { purpose, language } = open;
  const own = texts[purpose] ?? {};
  const text = own[language];
  const languages = [...new Set([builtIn, ...Object.keys(own)])];
  const path = `mail.texts.${purpose}.${language}`;
  const { api } = useApp();
  // An own text starts from the words that its readers receive without it.
  const starting = useMutation({
    mutationFn: (start: OpenText) => api.settings.previewMail(start),
    onSuccess: ({ words }, start) => {
      onChange({ ...texts, [start.purpose]: { ...texts[start.purpose], [start.language]: words } });
      onOpen(start);
    },
  });

  function set(changed: MailText | null) {
    const { [language]: _, ...others } = own;
    onChange({ ...texts, [purpose]: changed ? { ...others, [language]: changed } : others });
  }

  return (
    <Fieldset legend="Texts">
      <Stack>
        <Group grow align="flex-start">
          <NativeSelect
            label="Mail"
            value={purpose}
            data={Object.entries(purposeNames).map(([value, label]) => ({ value, label }))}
            onChange={(event) => onOpen({ purpose: event.currentTarget.value as Purpose, language: builtIn })}
          />
          <NativeSelect
            label="Language"
            value={language}
            data={languages.map((tag) => ({ value: tag, label: languageName(tag) }))}
            onChange={(event) => onOpen({ purpose, language: event.currentTarget.value })}
          />
        </Group>
        <AddLanguage
          languages={languages}
          isAdding={starting.isPending}
          onAdd={(tag) => starting.mutate({ purpose, language: tag })}
        />
        {starting.error && <ProblemAlert error={starting.error} />}
        {text ? (
          <>
            <TextInput
              label="Subject"
              description="Unless it contains {{code}}, the code is put before it."
              value={text.subject}
              error={errors[`${path}.subject`]}
              onChange={(event) => set({ ...text, subject: event.currentTarget.value })}
            />
            <Textarea
              label="Text"
              description="Shown below the code. An empty line starts a new paragraph. {{app}}, {{code}} and {{minutes}} are replaced."
              autosize
              minRows={4}
              maxRows={14}
              value={text.text}
              error={errors[`${path}.text`]}
              onChange={(event) => set({ ...text, text: event.currentTarget.value })}
            />
            {hasButton(purpose) && (
              <TextInput
                label="Button of this text"
                description="The label of the link. If empty, the one of the branding, or the built-in one."
                value={text.button ?? ''}
                error={errors[`${path}.button`]}
                onChange={(event) => set({ ...text, button: event.currentTarget.value || undefined })}
              />
            )}
            <Button
              variant="default"
              size="xs"
              style={{ alignSelf: 'flex-start' }}
              onClick={() => {
                set(null);
                onOpen({ purpose, language: builtIn });
              }}
            >
              {language === builtIn ? 'Use the built-in text' : `Remove ${languageName(language)}`}
            </Button>
          </>
        ) : (
          <Group gap="sm">
            <Text size="sm">The built-in words are used.</Text>
            <Button
              variant="default"
              size="xs"
              loading={starting.isPending}
              onClick={() => starting.mutate({ purpose, language })}
            >
              Write your own
            </Button>
          </Group>
        )}
      </Stack>
    </Fieldset>
  );
}

type AddLanguageProps = { languages: string[]; isAdding: boolean; onAdd: (tag: string) => void };

function AddLanguage({ languages, isAdding, onAdd }: AddLanguageProps) {
  const [tag, setTag] = useState('');
  const [error, setError] = useState<string | null>(null);

  function add() {
    const fields = faultsIn({ mail: { texts: { sign_in: { [tag]: { subject: 'x', text: 'x' } } } } });
    if (languages.includes(tag)) setError('This language is in the list already.');
    else if (Object.keys(fields).length > 0) setError('Enter a language tag such as de or pt-BR.');
    else {
      onAdd(tag);
      setTag('');
      setError(null);
    }
  }

  return (
    <Group align="flex-end" gap="sm">
      <TextInput
        flex="1 1 10rem"
        label="Add a language"
        description="A language tag such as de or pt-BR. Readers of other languages receive your English text, or else the built-in words."
        value={tag}
        error={error}
        onChange={(event) => setTag(event.currentTarget.value.trim())}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          add();
        }}
      />
      <Button variant="default" onClick={add} disabled={tag === ''} loading={isAdding}>
        Add
      </Button>
    </Group>
  );
}

export function languageName(tag: string): string {
  try {
    return new Intl.DisplayNames(undefined, { type: 'language' }).of(tag) ?? tag;
  } catch {
    return tag;
  }
}
