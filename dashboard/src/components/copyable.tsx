// A value that is copied with one click: an id, a key, an address.
import { ActionIcon, Code, CopyButton, Group, Tooltip } from '@mantine/core';
import { CheckIcon, Copy } from 'lucide-react';

type Props = { value: string; label: string };

export function Copyable({ value, label }: Props) {
  return (
    <Group gap={4} wrap="nowrap" align="center" miw={0}>
      <Code style={{ overflowWrap: 'anywhere' }}>{value}</Code>
      <CopyIcon value={value} label={label} />
    </Group>
  );
}

/** The button without the value. */
export function CopyIcon({ value, label }: Props) {
  return (
    <CopyButton value={value} timeout={2_000}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? 'Copied' : `Copy ${label}`}>
          <ActionIcon variant="subtle" color="gray" size="sm" onClick={copy} aria-label={`Copy ${label}`}>
            {copied ? <CheckIcon size={16} /> : <Copy size={16} />}
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  );
}
