// The section Deep link, with a link as sign-in mails contain it. Specification "Emailed code".
import { magicLink } from '@foyer/contract';
import { Button, Group, Paper, Stack, Text, TextInput } from '@mantine/core';
import { ExternalLinkIcon } from 'lucide-react';
import { useState } from 'react';
import { Copyable } from '../../components/copyable.tsx';
import { useMe } from '../../member.ts';
import { SectionForm } from './section-form.tsx';
import { faultsIn } from './settings-patch.ts';
import { type SectionProps, useSection } from './use-section.ts';

export function DeepLink({ settings }: SectionProps) {
  const section = useSection({
    settings,
    valuesOf: ({ deep_link }) => ({ deep_link: deep_link ?? '' }),
  });
  const { form } = section;
  const { deep_link } = form.values;
  const isValid = deep_link !== '' && Object.keys(faultsIn({ deep_link })).length === 0;
  return (
    <SectionForm
      title="Deep link"
      description="Sign-in mails contain a link to this URL with the code, so that users need not type it. Without a URL they contain the code only."
      section={section}
      inputs={['deep_link']}
      after={isValid && <TestLink deepLink={deep_link} saved={deep_link === settings.deep_link} />}
    >
      <TextInput
        label="URL that opens your app"
        placeholder="https://app.example.com/sign-in"
        description="A universal link or app link. Gmail removes links with a scheme of your own, such as orchard://sign-in: users of Gmail then type the code."
        inputMode="url"
        spellCheck={false}
        {...form.getInputProps('deep_link')}
      />
    </SectionForm>
  );
}

function TestLink({ deepLink, saved }: { deepLink: string; saved: boolean }) {
  const { user } = useMe();
  const [email, setEmail] = useState(user.email);
  const [code, setCode] = useState('402718');
  const link = magicLink(deepLink, email, code);
  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        <Text fw={600}>Test link</Text>
        <Text size="sm" c="dimmed">
          Built as in mails{saved ? '' : ', with the URL above, which is not saved yet'}. Open it on a device
          with your app: the app must read <b>email</b> and <b>code</b> from it. The sample code opens
          nothing; take a code from a real mail to sign in.
        </Text>
        <Group grow align="flex-start">
          <TextInput
            label="Email in the link"
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <TextInput
            label="Code in the link"
            inputMode="numeric"
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
          />
        </Group>
        <Copyable value={link} label="test link" />
        <Button
          component="a"
          href={link}
          target="_blank"
          rel="noreferrer"
          variant="default"
          leftSection={<ExternalLinkIcon size={18} />}
          style={{ alignSelf: 'flex-start' }}
        >
          Open test link
        </Button>
      </Stack>
    </Paper>
  );
}
