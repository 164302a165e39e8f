// New recovery codes, which are shown once: to copy, and to save as a file.
import { Button, Code, Group, Stack, Text } from '@mantine/core';
import { CheckIcon, CopyIcon, DownloadIcon } from 'lucide-react';
import { downloadFile } from './download.ts';
import { useCopy } from './use-copy.ts';

export function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  const { copied, copy } = useCopy();
  const text = codes.join('\n');
  return (
    <Stack gap="sm">
      <Text size="sm">
        Each of these recovery codes replaces your authenticator app once, if you lose it. They are shown only
        now; earlier ones no longer work.
      </Text>
      <Code block tabIndex={0} role="region" aria-label="Recovery codes">
        {text}
      </Code>
      <Group gap="sm">
        <Button
          variant="default"
          leftSection={copied ? <CheckIcon size={16} /> : <CopyIcon size={16} />}
          onClick={() => copy(text)}
        >
          {copied ? 'Copied' : 'Copy'}
        </Button>
        <Button
          variant="default"
          leftSection={<DownloadIcon size={16} />}
          onClick={() => downloadFile('recovery-codes.txt', 'text/plain', [`${text}\n`])}
        >
          Download
        </Button>
      </Group>
    </Stack>
  );
}
