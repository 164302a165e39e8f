// An input for a secret that the service never returns: it shows only whether one is stored.
import { Alert, Badge, Button, FileButton, Group, Input, Stack, Text, Textarea } from '@mantine/core';
import { FileIcon, TriangleAlertIcon } from 'lucide-react';
import type { ReactNode } from 'react';

/** `undefined`: unchanged. `null`: to be removed. Empty: about to be replaced. */
export type Secret = string | null | undefined;

type Props = {
  label: string;
  description: string;
  placeholder: string;
  /** The names of the files that may be chosen; none for a secret of one line. */
  accept?: string;
  stored: boolean;
  /** Why the stored one cannot work. */
  fault: string | null;
  value: Secret;
  onChange: (secret: Secret) => void;
  error?: ReactNode;
};

export function WriteOnly({ label, description, stored, fault, value, onChange, error, ...rest }: Props) {
  return (
    <Input.Wrapper label={label} description={description} error={error} labelElement="div">
      <Stack gap="xs" mt="xs">
        {stored && fault !== null && value === undefined && (
          <Alert color="red" icon={<TriangleAlertIcon size={20} />} title="The stored key cannot work">
            It {fault}.
          </Alert>
        )}
        {stored && value === undefined && (
          <Group gap="sm">
            <Badge color="green" c="var(--mantine-color-text)">
              Stored
            </Badge>
            <Text size="sm" c="dimmed">
              It cannot be read back.
            </Text>
            <Button variant="default" size="xs" onClick={() => onChange('')} aria-label={`Replace ${label}`}>
              Replace
            </Button>
            <Button
              variant="light"
              color="red"
              size="xs"
              onClick={() => onChange(null)}
              aria-label={`Remove ${label}`}
            >
              Remove
            </Button>
          </Group>
        )}
        {value === null && (
          <Group gap="sm">
            <Text size="sm">It is removed when you save.</Text>
            <Button variant="default" size="xs" onClick={() => onChange(undefined)}>
              Undo
            </Button>
          </Group>
        )}
        {value !== null && (!stored || value !== undefined) && (
          <NewSecret label={label} stored={stored} value={value ?? ''} onChange={onChange} {...rest} />
        )}
      </Stack>
    </Input.Wrapper>
  );
}

type NewProps = Pick<Props, 'label' | 'placeholder' | 'accept' | 'stored' | 'onChange'> & { value: string };

function NewSecret({ label, placeholder, accept, stored, value, onChange }: NewProps) {
  const unchanged = stored ? '' : undefined;
  async function read(file: File | null) {
    if (file) onChange((await file.text()) || unchanged);
  }
  return (
    <>
      <Textarea
        aria-label={label}
        placeholder={placeholder}
        autosize
        minRows={accept === undefined ? 1 : 3}
        maxRows={6}
        autoComplete="off"
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value || unchanged)}
      />
      <Group gap="sm">
        {accept !== undefined && (
          <FileButton accept={accept} onChange={(file) => void read(file)}>
            {(props) => (
              <Button variant="default" size="xs" leftSection={<FileIcon size={16} />} {...props}>
                Choose a file
              </Button>
            )}
          </FileButton>
        )}
        {stored && (
          <Button variant="subtle" size="xs" onClick={() => onChange(undefined)}>
            Do not replace
          </Button>
        )}
      </Group>
    </>
  );
}
