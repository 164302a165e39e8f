// The frame of a section of the settings: title, inputs, and its own Save.
import { Stack, Text, Title } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { problemOf } from '../../api-problem.ts';
import { PageForm } from '../../components/page-form.tsx';

type Props = {
  title: string;
  description: ReactNode;
  section: {
    saving: { error: Error | null; isPending: boolean };
    dirty: boolean;
    onDiscard: () => void;
    onSubmit: (event?: FormEvent<HTMLFormElement>) => void;
  };
  /** The settings whose messages an input shows, or the objects that contain them. */
  inputs: readonly string[];
  children: ReactNode;
  /** What is below the form, such as a test of the stored settings. */
  after?: ReactNode;
};

export function SectionForm({ title, description, section, inputs, children, after }: Props) {
  const { saving, dirty, onSubmit, onDiscard } = section;
  return (
    <Stack gap="lg">
      <Stack gap={4}>
        <Title order={2}>{title}</Title>
        <Text size="sm" c="dimmed" maw="65ch" component="div">
          {description}
        </Text>
      </Stack>
      <PageForm
        onSubmit={onSubmit}
        saving={saving}
        shownFields={saving.error ? shownFields(saving.error, inputs) : []}
        dirty={dirty}
        onDiscard={onDiscard}
        noValidate
      >
        {children}
      </PageForm>
      {after}
    </Stack>
  );
}

function shownFields(error: Error, inputs: readonly string[]): string[] {
  const isShown = (field: string) => inputs.some((input) => field === input || field.startsWith(`${input}.`));
  return Object.keys(problemOf(error).fields).filter(isShown);
}
