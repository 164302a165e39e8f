// The section Loyalty tiers. Specification "Loyalty status".
import { limits } from '@foyer/contract';
import { ActionIcon, Button, Group, NumberInput, Stack, Text, TextInput } from '@mantine/core';
import { PlusIcon, Trash2Icon } from 'lucide-react';
import { SectionForm } from './section-form.tsx';
import { type SectionProps, useSection } from './use-section.ts';

type Tier = { tier: string; min_points: number | '' };

export function Tiers({ settings }: SectionProps) {
  const section = useSection({
    settings,
    valuesOf: ({ tiers }): { tiers: Tier[] } => ({ tiers }),
    settingsOf: (values) => values,
  });
  const { form } = section;
  const { tiers } = form.values;
  return (
    <SectionForm
      title="Loyalty tiers"
      description="Users are in the highest tier that their points reach. The lowest tier starts at 0 points. A change applies to all users at once."
      section={section}
      inputs={['tiers']}
    >
      <Stack gap="sm">
        {tiers.map((_, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the tiers have no identity but their place.
          <Group key={place} align="flex-start" wrap="nowrap" gap="sm">
            <TextInput
              flex={1}
              miw={0}
              label={place === 0 ? 'Tier' : undefined}
              aria-label={`Name of tier ${place + 1}`}
              {...form.getInputProps(`tiers.${place}.tier`)}
            />
            <NumberInput
              flex={1}
              miw={0}
              label={place === 0 ? 'From points' : undefined}
              aria-label={`Points of tier ${place + 1}`}
              disabled={place === 0}
              allowDecimal={false}
              allowNegative={false}
              thousandSeparator
              hideControls
              {...form.getInputProps(`tiers.${place}.min_points`)}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              mt={place === 0 ? 25 : 0}
              disabled={place === 0}
              aria-label={`Remove tier ${place + 1}`}
              onClick={() => form.removeListItem('tiers', place)}
            >
              <Trash2Icon size={18} />
            </ActionIcon>
          </Group>
        ))}
      </Stack>
      {form.errors.tiers && (
        <Text size="sm" c="var(--mantine-color-error)">
          {form.errors.tiers}
        </Text>
      )}
      <Button
        variant="default"
        leftSection={<PlusIcon size={18} />}
        disabled={tiers.length >= limits.tiers.max}
        onClick={() => form.insertListItem('tiers', { tier: '', min_points: '' })}
        style={{ alignSelf: 'flex-start' }}
      >
        Add tier
      </Button>
    </SectionForm>
  );
}
