// Enables or disables an app, and reads again what its pages could not.
import type { ConsoleApp } from '@foyer/contract';
import { consoleApi } from './api.ts';
import { notifySaved } from './components/notify.ts';
import { queryClient } from './query-client.ts';

export async function setAppEnabled(app: ConsoleApp, enabled: boolean): Promise<void> {
  await consoleApi.console.updateApp(app.id, { enabled });
  notifySaved(enabled ? `${app.name} is enabled.` : `${app.name} is disabled.`);
  await queryClient.invalidateQueries({ queryKey: ['console'] });
  await queryClient.invalidateQueries({ queryKey: [app.id] });
}
