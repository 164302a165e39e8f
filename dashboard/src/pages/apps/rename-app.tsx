// The form that renames an app.
import type { ConsoleApp } from '@foyer/contract';
import { TextInput } from '@mantine/core';
import { consoleApi } from '../../api.ts';
import { useApiForm } from '../../components/api-form.ts';
import { DialogForm } from '../../components/dialog-form.tsx';
import { notifySaved } from '../../components/notify.ts';
import { queryClient } from '../../query-client.ts';

export function RenameApp({ app, onClose }: { app: ConsoleApp; onClose: () => void }) {
  const { form, ...submit } = useApiForm({
    initialValues: { name: app.name },
    send: ({ name }) => consoleApi.console.updateApp(app.id, { name }),
    onSaved: (renamed) => {
      notifySaved(`The app is now called ${renamed.name}.`);
      void queryClient.invalidateQueries({ queryKey: ['console'] });
      onClose();
    },
  });
  return (
    <DialogForm {...submit} submitLabel="Save" onClose={onClose}>
      <TextInput
        label="Name"
        description="Its keys and sessions do not change."
        required
        data-autofocus
        {...form.getInputProps('name')}
      />
    </DialogForm>
  );
}
