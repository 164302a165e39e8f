// The section Data.
import { limits } from '@foyer/contract';
import { NumberInput } from '@mantine/core';
import { ByteInput } from './byte-input.tsx';
import { SectionForm } from './section-form.tsx';
import { type SectionProps, useSection } from './use-section.ts';

export function Collections({ settings }: SectionProps) {
  const section = useSection({ settings, valuesOf: ({ data }) => ({ data }) });
  const { form } = section;
  return (
    <SectionForm
      title="Data"
      description="Records are stored in collections, which your team or your backend creates."
      section={section}
      inputs={['data']}
    >
      <NumberInput
        label="Maximum number of collections"
        description={`From ${limits.collectionsPerApp.min} to ${limits.collectionsPerApp.max.toLocaleString()}. Existing collections stay when you lower it.`}
        allowDecimal={false}
        {...form.getInputProps('data.max_collections')}
      />
      <ByteInput
        label="Maximum size of all records of a user"
        description="At most 1,024 GiB. Existing records stay when you lower it."
        value={form.values.data.user_quota_bytes}
        error={form.errors['data.user_quota_bytes']}
        onChange={(bytes) => form.setFieldValue('data.user_quota_bytes', bytes as number)}
      />
    </SectionForm>
  );
}
