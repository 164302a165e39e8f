// The section App as files: the app as `foyer pull` writes it, to keep in a repository.
import { Button, Group, List, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { strToU8, zipSync } from 'fflate';
import { DownloadIcon } from 'lucide-react';
import { downloadFile } from '../../components/download.ts';
import { QueryView } from '../../components/query-view.tsx';
import { useApp } from '../../current-app.tsx';

type File = { path: string; text: string };

export function AppAsFiles() {
  const { app, api } = useApp();
  // Settings, remote config, collections and webhooks are changed on other pages, which do not know of this copy.
  const query = useQuery({
    queryKey: [app.id, 'app-files'],
    queryFn: ({ signal }) => api.appFiles.read({ signal }),
    gcTime: 0,
  });
  return (
    <Stack gap="lg">
      <Stack gap={4}>
        <Title order={2}>App as files</Title>
        <Text size="sm" c="dimmed" maw="65ch">
          Settings, remote config, collections, webhooks and texts of mails, as <code>foyer pull</code> writes
          them, to review and keep in a repository. <code>foyer apply</code> changes an app as its files say.
          They contain no secrets and no users.
        </Text>
      </Stack>
      <QueryView query={query}>{({ files }) => <Files files={files} slug={app.slug} />}</QueryView>
    </Stack>
  );
}

function Files({ files, slug }: { files: readonly File[]; slug: string }) {
  return (
    <Stack gap="sm">
      <Group>
        <Button leftSection={<DownloadIcon size={16} />} onClick={() => downloadArchive(files, slug)}>
          Download as files
        </Button>
      </Group>
      <List size="sm" aria-label="Files">
        {files.map((file) => (
          <List.Item key={file.path}>
            <Button
              variant="subtle"
              size="compact-sm"
              onClick={() => downloadFile(nameOf(file.path), 'text/plain;charset=utf-8', [file.text])}
              aria-label={`Download ${file.path}`}
            >
              {file.path}
            </Button>
          </List.Item>
        ))}
      </List>
    </Stack>
  );
}

/** The folder of the app, which `foyer diff <slug>` and `foyer apply <slug>` take as it is. */
function downloadArchive(files: readonly File[], slug: string): void {
  const entries = files.map(({ path, text }) => [`${slug}/${path}`, strToU8(text)] as const);
  downloadFile(`${slug}.zip`, 'application/zip', [zipSync(Object.fromEntries(entries))]);
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
