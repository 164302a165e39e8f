// A mail as a user receives it, with the text of the open form, and a test mail to the member.
import { Button, Group, Paper, SegmentedControl, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { SendIcon } from 'lucide-react';
import { useMemo, useState } from 'react';
import { dataOf } from '../../api.ts';
import { notifySaved } from '../../components/notify.ts';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { QueryView } from '../../components/query-view.tsx';
import { useApp } from '../../current-app.tsx';
import { MailFrame } from './mail-frame.tsx';
import type { OpenText } from './mail-texts.tsx';

const previewMilliseconds = 500;

type Props = { open: OpenText; text: { subject: string; text: string } | undefined };

export function MailPreview({ open, text }: Props) {
  const { app, api } = useApp();
  const [view, setView] = useState('html');
  const complete = text === undefined || (text.subject.trim() !== '' && text.text.trim() !== '');
  // The same object until it changes: another one would start the delay again.
  const draft = useMemo(() => ({ ...open, ...(text && complete && { text }) }), [open, text, complete]);
  const [shown] = useDebouncedValue(draft, previewMilliseconds);
  const preview = useQuery({
    queryKey: [app.id, 'mail-preview', shown],
    queryFn: ({ signal }) =>
      dataOf(api.settingsChecks.previewMail({ body: shown, fetchOptions: { signal } })),
    placeholderData: keepPreviousData,
  });
  const sending = useMutation({
    mutationFn: () => dataOf(api.settingsChecks.testMail({ body: draft })),
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
        {!complete && <Text size="sm">Enter a subject and a text to see them here.</Text>}
        <QueryView query={preview}>
          {(mail) => (
            <>
              <Stack gap={2}>
                <Line
                  name="From"
                  text={mail.from_email === null ? mail.from_name : `${mail.from_name} <${mail.from_email}>`}
                />
                {mail.reply_to !== null && <Line name="Reply to" text={mail.reply_to} />}
                <Line name="Subject" text={mail.subject} />
              </Stack>
              {view === 'html' ? (
                <MailFrame html={mail.html} />
              ) : (
                <Paper withBorder p="sm">
                  <Text size="sm" ff="monospace" style={{ whiteSpace: 'pre-wrap' }}>
                    {mail.text}
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
