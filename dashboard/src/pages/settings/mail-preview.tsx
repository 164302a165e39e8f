// A mail as a user receives it, with the text of the open form, and a test mail to the member.
import { type MailBrandingInput, mailLanguages, type mailNotices } from '@foyer/contract';
import { Button, Group, NativeSelect, Paper, SegmentedControl, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { SendIcon } from 'lucide-react';
import { useMemo, useState } from 'react';
import { notifySaved } from '../../components/notify.ts';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { QueryView } from '../../components/query-view.tsx';
import { useApp } from '../../current-app.tsx';
import { MailFrame } from './mail-frame.tsx';
import { languageName, type MailText, type OpenText, purposeNames } from './mail-texts.tsx';

const previewMilliseconds = 500;

type Notice = (typeof mailNotices)[number];

const noticeNames: Record<Notice, string> = {
  password_changed: 'Password changed',
  email_changed: 'Email changed',
  provider_linked: 'Provider linked',
  provider_unlinked: 'Provider unlinked',
  passkey_added: 'Passkey added',
  passkey_removed: 'Passkey removed',
  unproven_removed: 'Account secured',
  second_factor_enrolled: 'Authenticator app added',
  second_factor_removed: 'Authenticator app removed',
  recovery_code_used: 'Recovery code used',
  new_device: 'Sign-in from a new device',
  export_ready: 'Export of the data ready',
  account_deleted: 'Account deleted',
};
const mailNames = { ...purposeNames, ...noticeNames };

type Shown = { purpose: keyof typeof mailNames; language: string };

type Props = {
  open: OpenText;
  text: MailText | undefined;
  /** Those of the app's own texts of the mail. */
  languages: string[];
  /** Undefined while it is not valid. */
  branding: MailBrandingInput | undefined;
  /** As entered: empty for the defaults. */
  sender: { from_name: string; reply_to: string };
};

export function MailPreview({ open, text, languages, branding, sender }: Props) {
  const { app, api } = useApp();
  const [view, setView] = useState('html');
  const [mail, setMail] = useState<Shown>(open);
  const fromName = sender.from_name.trim() || app.name;
  const isOpen = mail.purpose === open.purpose && mail.language === open.language;
  const offered = [...new Set<string>([...mailLanguages, ...languages, open.language])];
  const complete = !isOpen || text === undefined || (text.subject.trim() !== '' && text.text.trim() !== '');
  // The same object until it changes: another one would start the delay again.
  const look = JSON.stringify(branding ?? {});
  const draft = useMemo(
    () => ({ ...mail, branding: JSON.parse(look), ...(text && isOpen && complete && { text }) }),
    [mail, look, text, isOpen, complete],
  );
  const [shown] = useDebouncedValue(draft, previewMilliseconds);
  const preview = useQuery({
    queryKey: [app.id, 'mail-preview', shown],
    queryFn: ({ signal }) => api.settings.previewMail(shown, { signal }),
    placeholderData: keepPreviousData,
  });
  const sending = useMutation({
    mutationFn: () => api.settings.testMail(draft),
    onSuccess: ({ to }) => notifySaved(`A test mail is on its way to ${to}.`),
  });
  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        <Group justify="space-between" gap="sm">
          <Text fw={600}>Preview</Text>
          <SegmentedControl
            size="xs"
            aria-label="Part of the mail"
            value={view}
            onChange={setView}
            data={[
              { value: 'html', label: 'HTML' },
              { value: 'text', label: 'Plain text' },
            ]}
          />
        </Group>
        <Group grow align="flex-start">
          <NativeSelect
            label="Mail to preview"
            value={mail.purpose}
            data={Object.entries(mailNames).map(([value, label]) => ({ value, label }))}
            onChange={(event) => setMail({ ...mail, purpose: event.currentTarget.value as Shown['purpose'] })}
          />
          <NativeSelect
            label="Language of the reader"
            value={mail.language}
            data={offered.map((tag) => ({ value: tag, label: languageName(tag) }))}
            onChange={(event) => setMail({ ...mail, language: event.currentTarget.value })}
          />
        </Group>
        {!complete && <Text size="sm">Enter a subject and a text to see them here.</Text>}
        {branding === undefined && (
          <Text size="sm">The branding above is not valid yet: the preview shows what is stored.</Text>
        )}
        <QueryView query={preview}>
          {(rendered) => (
            <>
              <Stack gap={2}>
                <Line
                  name="From"
                  text={rendered.from_email === null ? fromName : `${fromName} <${rendered.from_email}>`}
                />
                {sender.reply_to !== '' && <Line name="Reply to" text={sender.reply_to} />}
                <Line name="Subject" text={rendered.subject} />
              </Stack>
              {view === 'html' ? (
                <MailFrame html={rendered.html} />
              ) : (
                <Paper withBorder p="sm">
                  <Text size="sm" ff="monospace" style={{ whiteSpace: 'pre-wrap' }}>
                    {rendered.text}
                  </Text>
                </Paper>
              )}
            </>
          )}
        </QueryView>
        {sending.error && <ProblemAlert error={sending.error} />}
        <Button
          variant="default"
          leftSection={<SendIcon size={18} />}
          loading={sending.isPending}
          disabled={!complete}
          onClick={() => sending.mutate()}
          style={{ alignSelf: 'flex-start' }}
        >
          Send me a test mail
        </Button>
      </Stack>
    </Paper>
  );
}

function Line({ name, text }: { name: string; text: string }) {
  return (
    <Text size="sm">
      <Text span inherit c="dimmed">
        {name}:
      </Text>{' '}
      {text}
    </Text>
  );
}
