// What tables of files show of each.
import type { File as StoredFile } from '@foyer/contract';
import { Badge, Group, Text } from '@mantine/core';
import type { Column } from './paged-table.tsx';
import { bytesText } from './quantities.ts';
import { Time } from './time.tsx';

export const fileColumns = {
  name: {
    title: 'File',
    text: ({ name }) => name,
    cell: ({ name, visibility, content_type, size }) => (
      <>
        <Group gap="xs">
          <Text size="sm" fw={500}>
            {name}
          </Text>
          {visibility === 'public' && <Badge size="sm">Public</Badge>}
        </Group>
        <Text size="sm" c="dimmed">
          {content_type}
          <Text span inherit hiddenFrom="sm">
            {' '}
            · {bytesText(size)}
          </Text>
        </Text>
      </>
    ),
  },
  size: {
    title: 'Size',
    width: 110,
    isWide: true,
    cell: ({ size }) => bytesText(size),
    text: ({ size }) => size,
  },
  uploaded: {
    title: 'Uploaded',
    width: 150,
    isWide: true,
    cell: ({ created_at }) => <Time at={created_at} />,
    text: ({ created_at }) => created_at,
  },
} satisfies Record<string, Column<StoredFile>>;
