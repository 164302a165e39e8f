// A value that is copied with one click: an id, a key, a URL.
import { ActionIcon, Code, Group, Tooltip } from '@mantine/core';
import { CheckIcon, Copy } from 'lucide-react';
import { useCopy } from './use-copy.ts';

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
  const { copied, copy } = useCopy();
  return (
    <Tooltip label={copied ? 'Copied' : `Copy ${label}`}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="sm"
        onClick={() => copy(value)}
        aria-label={`Copy ${label}`}
      >
        {copied ? <CheckIcon size={16} /> : <Copy size={16} />}
      </ActionIcon>
    </Tooltip>
  );
}
