// The form that creates a collection or changes one.
import { accessModes, type Collection, limits } from '@foyer/contract';
import { Alert, NativeSelect, Radio, Stack, TagsInput, TextInput } from '@mantine/core';
import { useApiForm } from '../../components/api-form.ts';
import { DialogForm } from '../../components/dialog-form.tsx';
import { changedIn } from '../../components/form-values.ts';
import { notifySaved } from '../../components/notify.ts';
import type { CurrentApp } from '../../current-app.tsx';
import { accessModeTexts, refreshCollections } from './collection-words.ts';

type Props = {
  current: CurrentApp;
  /** Absent for a new one. */
  collection?: Collection;
  onClose: () => void;
  onSaved?: (collection: Collection) => void;
};

export function CollectionForm({ current, collection, onClose, onSaved }: Props) {
  const initialValues = {
    name: collection?.name ?? '',
    access_mode: collection?.access_mode ?? 'admin',
    on_user_delete: collection?.on_user_delete ?? 'delete',
    indexed_fields: collection?.indexed_fields ?? [],
  };
  const { form, ...submit } = useApiForm({
    initialValues,
    inputOf: (field) => field.replace(/^indexed_fields\..*/, 'indexed_fields'),
    send: (values) =>
      collection
        ? current.api.collections.update(
            collection.name,
            // Others may have changed the rest meanwhile, such as the access.
            changedIn(initialValues, values),
          )
        : current.api.collections.create(values),
    onSaved: (saved) => {
      notifySaved(collection ? 'The collection is saved.' : `${saved.name} is created.`);
      onClose();
      void refreshCollections(current);
      onSaved?.(saved);
    },
  });
  const { access_mode, indexed_fields } = form.values;
  const added = indexed_fields.filter((field) => !collection?.indexed_fields.includes(field));
  return (
    <DialogForm {...submit} submitLabel={collection ? 'Save' : 'Create collection'} onClose={onClose}>
      {!collection && (
        <TextInput
          label="Name"
          description="Letters, digits, _ and -; it never changes."
          required
          data-autofocus
          spellCheck={false}
          {...form.getInputProps('name')}
        />
      )}
      <NativeSelect
        label="Access from your app"
        description={accessModeTexts[access_mode].description}
        data={accessModes.map((mode) => ({ value: mode, label: accessModeTexts[mode].label }))}
        {...form.getInputProps('access_mode')}
      />
      {collection && access_mode !== collection.access_mode && (
        <Alert color="orange">The new access applies to every record with the next call.</Alert>
      )}
      <Radio.Group label="When a user is deleted" {...form.getInputProps('on_user_delete')}>
        <Stack gap="xs" mt="xs">
          <Radio value="delete" label="Delete the user's records" />
          <Radio value="keep" label="Keep them, with the id of their owner" />
        </Stack>
      </Radio.Group>
      <TagsInput
        label="Indexed fields"
        description={`Up to ${limits.indexedFieldsPerCollection} fields by which large collections are filtered and sorted, such as author.name. Press Enter after each.`}
        maxTags={limits.indexedFieldsPerCollection}
        acceptValueOnBlur
        {...form.getInputProps('indexed_fields')}
      />
      {collection && added.length > 0 && (
        <Alert>
          The index is built in the background; writes go on, and queries use it once it is complete.
        </Alert>
      )}
    </DialogForm>
  );
}
