// Takes values to another app and brings them from one, as JSON.
import { Button, Menu } from '@mantine/core';
import { ArrowRightLeftIcon, ClipboardCopyIcon, DownloadIcon, FileInputIcon } from 'lucide-react';
import { ApiProblem } from '../../api-problem.ts';
import { downloadFile } from '../../components/download.ts';
import { notifyProblem, notifySaved } from '../../components/notify.ts';
import { openDialog } from '../../components/open-dialog.ts';
import { useApp } from '../../current-app.tsx';
import type { StoredConfig } from './config-query.ts';
import type { Change } from './draft.ts';
import { ImportValues } from './import-values.tsx';
import { exportedText } from './transfer.ts';

type Props = { stored: StoredConfig; onImport: (changes: Change[]) => void };

export function CopyMenu({ stored, onImport }: Props) {
  const { app, can } = useApp();
  const { config } = stored;

  async function copy() {
    try {
      await navigator.clipboard.writeText(exportedText(config.parameters));
      notifySaved(`The published values of ${app.name} are copied.`);
    } catch {
      // Fails without permission, and on insecure origins, which have no clipboard.
      notifyProblem(
        new ApiProblem(
          'client/clipboard',
          'The browser does not allow copying. Download the values instead.',
        ),
      );
    }
  }

  function openImport() {
    openDialog(
      `Import values into ${app.name}`,
      (close) => <ImportValues parameters={config.parameters} onImport={onImport} onClose={close} />,
      { size: 'xl' },
    );
  }

  return (
    <Menu position="bottom-end" width={230}>
      <Menu.Target>
        <Button variant="default" leftSection={<ArrowRightLeftIcon size={18} />}>
          Copy values
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<ClipboardCopyIcon size={16} />} onClick={() => void copy()}>
          Copy as JSON
        </Menu.Item>
        <Menu.Item
          leftSection={<DownloadIcon size={16} />}
          onClick={() =>
            downloadFile(`remote-config-${app.slug}-v${config.version}.json`, 'application/json', [
              exportedText(config.parameters),
            ])
          }
        >
          Download as JSON
        </Menu.Item>
        <Menu.Item
          leftSection={<FileInputIcon size={16} />}
          disabled={!can('config:write')}
          onClick={openImport}
        >
          Import from JSON…
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
