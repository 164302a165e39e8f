// The section Files.
import { Switch, TagsInput } from '@mantine/core';
import { ByteInput } from './byte-input.tsx';
import { SectionForm } from './section-form.tsx';
import { type SectionProps, useSection } from './use-section.ts';

export function Files({ settings }: SectionProps) {
  const section = useSection({
    settings,
    valuesOf: ({ files }) => ({ files }),
    inputOf: (field) => (field.startsWith('files.allowed_types') ? 'files.allowed_types' : field),
  });
  const { form } = section;
  const { max_bytes, user_quota_bytes, allowed_types } = form.values.files;
  return (
    <SectionForm
      title="Files"
      description="What users may upload. Stored files are not affected."
      section={section}
      inputs={['files']}
    >
      <ByteInput
        label="Maximum size of a file"
        description="At most 1 GiB."
        value={max_bytes}
        error={form.errors['files.max_bytes']}
        onChange={(bytes) => form.setFieldValue('files.max_bytes', bytes as number)}
      />
      <ByteInput
        label="Maximum size of all files of a user"
        description="At most 1,024 GiB; 0 allows no files."
        value={user_quota_bytes}
        error={form.errors['files.user_quota_bytes']}
        onChange={(bytes) => form.setFieldValue('files.user_quota_bytes', bytes as number)}
      />
      <Switch
        label="Allow all types"
        description="Otherwise only the types below, as detected from the content of the file."
        checked={allowed_types === null}
        onChange={(event) =>
          form.setFieldValue('files.allowed_types', event.currentTarget.checked ? null : ['image/*'])
        }
      />
      {allowed_types !== null && (
        <TagsInput
          label="Allowed types"
          description="Media types such as image/png, image/* or application/pdf. Press Enter after each."
          value={allowed_types}
          error={form.errors['files.allowed_types']}
          onChange={(types) => form.setFieldValue('files.allowed_types', types)}
        />
      )}
    </SectionForm>
  );
}
