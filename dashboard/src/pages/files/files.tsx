// The files of an app: who uploaded them, and the way to their bytes.
import { limits, type File as StoredFile } from '@foyer/contract';
import { ActionIcon, Button, Group, Menu, NativeSelect } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { EllipsisIcon, FileIcon } from 'lucide-react';
import { deletion } from '../../api.ts';
import { ApiProblem } from '../../api-problem.ts';
import { confirmAction } from '../../components/confirm.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { fileColumns } from '../../components/file-columns.tsx';
import { notifyProblem, notifySaved } from '../../components/notify.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { usePages } from '../../components/paged-list.tsx';
import { type Column, PagedTable } from '../../components/paged-table.tsx';
import { PersonLink } from '../../components/person-link.tsx';
import { PersonPicker } from '../../components/person-picker.tsx';
import { bytesText } from '../../components/quantities.ts';
import { useRoleReason } from '../../components/role-reason.ts';
import { useApp } from '../../current-app.tsx';
import { queryClient } from '../../query-client.ts';
import type { FileSearch } from './file-search.ts';

const route = getRouteApi('/member/apps/$appId/files');

export function FilesPage() {
  const { app, api } = useApp();
  const search = route.useSearch();
  const query = usePages([app.id, 'files', search], (page, options) =>
    api.files.list({ ...search, ...page }, options),
  );
  const filtered = Object.values(search).some((value) => value !== undefined);
  return (
    <>
      <PageHeader title="Files" description="What users and your server have uploaded, newest first." />
      <Filters filtered={filtered} />
      <PagedTable
        query={query}
        empty={
          <EmptyState icon={FileIcon} title={filtered ? 'No file matches' : 'No files yet'}>
            {filtered
              ? 'Change or clear the filters.'
              : 'Files appear here when users of the app, or your server with a secret key, upload them.'}
          </EmptyState>
        }
        keyOf={({ id }) => id}
        columns={columns}
        name="files"
        csv={{
          fileName: `${app.name} files`,
          readPage: (page, options) => api.files.list({ ...search, ...page }, options),
        }}
      />
    </>
  );
}

function Filters({ filtered }: { filtered: boolean }) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const set = (changed: FileSearch) =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace: true });
  return (
    <Group mb="md" gap="sm" align="flex-end">
      <NativeSelect
        label="Visibility"
        value={search.visibility ?? ''}
        onChange={(event) =>
          set({ visibility: (event.currentTarget.value || undefined) as FileSearch['visibility'] })
        }
        data={[
          { value: '', label: 'Any' },
          { value: 'private', label: 'Private' },
          { value: 'public', label: 'Public' },
        ]}
      />
      <PersonPicker label="Owner" value={search.owner_uid} onChange={(owner_uid) => set({ owner_uid })} />
      {filtered && (
        <Button variant="subtle" onClick={() => void navigate({ search: {}, replace: true })}>
          Clear filters
        </Button>
      )}
    </Group>
  );
}

const columns: readonly Column<StoredFile>[] = [
  fileColumns.name,
  fileColumns.size,
  {
    title: 'Owner',
    width: 180,
    isWide: true,
    cell: ({ owner_uid }) => <PersonLink uid={owner_uid} none="The app" />,
    text: ({ owner_uid }) => owner_uid,
  },
  {
    title: 'Type',
    isExtra: true,
    isWide: true,
    width: 150,
    cell: ({ content_type }) => content_type,
    text: ({ content_type }) => content_type,
  },
  { title: 'File id', isExtra: true, isWide: true, cell: ({ id }) => id, text: ({ id }) => id },
  fileColumns.uploaded,
  { title: 'Actions', isTitleHidden: true, width: 56, cell: (file) => <FileMenu file={file} /> },
];

function FileMenu({ file }: { file: StoredFile }) {
  const { app, api } = useApp();
  const reason = useRoleReason({ scope: 'files:write' });

  /** The service serves the bytes sandboxed; the URL works for some minutes. */
  async function addressOf(download: boolean) {
    const { url } = await api.files.url(file.id, { download });
    if (!/^https?:/.test(url)) throw new Error('The URL of the file is not valid.');
    return url;
  }

  async function open() {
    // The tab opens before anything is awaited: browsers block a tab that opens later than the click.
    const tab = window.open('about:blank', '_blank');
    try {
      if (!tab) throw new ApiProblem('client/tab-blocked', 'The browser blocked the new tab.');
      tab.opener = null;
      tab.location.replace(await addressOf(false));
    } catch (problem) {
      tab?.close();
      notifyProblem(problem);
    }
  }

  async function download() {
    const link = document.createElement('a');
    link.href = await addressOf(true);
    // Its name is in the response. A refusal is no page that replaces this one.
    link.download = '';
    link.click();
  }

  function confirmDelete() {
    confirmAction({
      title: 'Delete this file?',
      body: `${file.name} (${bytesText(file.size)}) is deleted, and all its URLs stop working at once. This cannot be undone.`,
      confirmLabel: 'Delete file',
      run: async () => {
        await deletion(api.files.delete(file.id), 'files/not-found');
        notifySaved('The file is deleted.');
        await queryClient.invalidateQueries({ queryKey: [app.id, 'files'] });
      },
    });
  }

  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${file.name}`}>
          <EllipsisIcon size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {isShownByBrowsers(file) && <Menu.Item onClick={() => void open()}>Open</Menu.Item>}
        <Menu.Item onClick={() => void download().catch(notifyProblem)}>Download</Menu.Item>
        <Menu.Item color="red" disabled={reason !== null} onClick={confirmDelete}>
          Delete
        </Menu.Item>
        {reason !== null && <Menu.Label maw={240}>{reason}</Menu.Label>}
      </Menu.Dropdown>
    </Menu>
  );
}

/** The service serves any other type as an attachment, which would leave an empty tab. */
function isShownByBrowsers({ content_type }: StoredFile): boolean {
  const types: readonly string[] = limits.shownFileTypes;
  return types.includes(content_type) || types.includes(`${content_type.split('/')[0]}/*`);
}
