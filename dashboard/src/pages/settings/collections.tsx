// The section Data.
import { limits } from '@foyer/contract';
import { NumberInput } from '@mantine/core';
import { SectionForm } from './section-form.tsx';
import { type SectionProps, useSection } from './use-section.ts';

export function Collections({ settings }: SectionProps) {
  const section = useSection({ settings, valuesOf: ({ data }) => ({ data }) });
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
        {...section.form.getInputProps('data.max_collections')}
      />
    </SectionForm>
  );
}
