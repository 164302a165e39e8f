// The form that creates an app.
import { TextInput } from '@mantine/core';
import { consoleApi } from '../../api.ts';
import { useApiForm } from '../../components/api-form.ts';
import { DialogForm } from '../../components/dialog-form.tsx';
import { notifySaved } from '../../components/notify.ts';
import { useNextPage } from '../../components/use-next-page.ts';
import { queryClient } from '../../query-client.ts';

export function CreateApp({ onClose }: { onClose: () => void }) {
  const navigate = useNextPage();
  const { form, ...submit } = useApiForm({
    initialValues: { name: '' },
    send: ({ name }) => consoleApi.console.createApp({ name }),
    onSaved: (app) => {
      notifySaved(`${app.name} is created.`);
      void queryClient.invalidateQueries({ queryKey: ['console'] });
      onClose();
      void navigate({ to: '/apps/$appId', params: { appId: app.id } });
    },
  });
  return (
    <DialogForm {...submit} submitLabel="Create app" onClose={onClose}>
      <TextInput
        label="Name"
        description="Users see it in mails. You can change it later. The settings of another app can be copied afterwards, under Settings, Copy settings."
        required
        data-autofocus
        {...form.getInputProps('name')}
      />
    </DialogForm>
  );
}
