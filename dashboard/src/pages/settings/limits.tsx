// The section Limits: the hourly limits of the app and its rate limits.
import { type AppSettings, limits, type RateLimitPolicy } from '@foyer/contract';
import { Button, Group, NumberInput, Paper, Stack, Text, Title } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { durationText } from '../../components/quantities.ts';
import { rateLimitGroups } from './rate-limit-names.ts';
import { SectionForm } from './section-form.tsx';
import { type SectionProps, useSection } from './use-section.ts';

type Values = Pick<AppSettings, 'limits' | 'rate_limits'>;

export function Limits({ settings }: SectionProps) {
  const section = useSection({
    settings,
    valuesOf: ({ limits, rate_limits }): Values => ({ limits, rate_limits }),
  });
  const { form } = section;
  const { signUpsPerHour, mailsToStrangersPerHour } = limits;
  return (
    <SectionForm
      title="Limits"
      description="They protect your users and your mail reputation. Calls above a rate limit receive 429 with the time to wait."
      section={section}
      inputs={['limits', 'rate_limits']}
    >
      <NumberInput
        label="Sign-ups per hour"
        description={`In the whole app, for all sign-in methods. Default ${signUpsPerHour.default.toLocaleString()}.`}
        allowDecimal={false}
        thousandSeparator
        {...form.getInputProps('limits.sign_ups_per_hour')}
      />
      <NumberInput
        label="Codes to emails without an account per hour"
        description={`In the whole app; further codes are not emailed. Default ${mailsToStrangersPerHour.default.toLocaleString()}.`}
        allowDecimal={false}
        thousandSeparator
        {...form.getInputProps('limits.mails_to_strangers_per_hour')}
      />
      {rateLimitGroups.map(({ title, names }) => (
        <Stack key={title} gap="xs">
          <Title order={3} size="h4" mt="sm">
            {title}
          </Title>
          {(Object.entries(names) as [RateLimitPolicy, string][]).map(([policy, name]) => (
            <RateLimit key={policy} policy={policy} name={name} form={form} />
          ))}
        </Stack>
      ))}
    </SectionForm>
  );
}

type RateLimitProps = { policy: RateLimitPolicy; name: string; form: UseFormReturnType<Values> };

function RateLimit({ policy, name, form }: RateLimitProps) {
  const standard = limits.rateLimits[policy];
  const isChanged = form.values.rate_limits[policy] !== undefined;
  const path = `rate_limits.${policy}`;

  function change() {
    const rule = { limit: standard.limit, window_seconds: standard.windowSeconds };
    form.setFieldValue('rate_limits', { ...form.values.rate_limits, [policy]: rule });
  }

  function reset() {
    const { [policy]: _, ...others } = form.values.rate_limits;
    form.setFieldValue('rate_limits', others);
  }

  return (
    <Paper withBorder p="sm" data-policy={policy}>
      <Group justify="space-between" gap="sm">
        <Stack gap={0} flex="1 1 14rem" miw={0}>
          <Text size="sm" fw={500}>
            {name}
          </Text>
          <Text size="sm" c="dimmed">
            Default: {standard.limit.toLocaleString()} in {durationText(standard.windowSeconds)}
          </Text>
        </Stack>
        <Button
          variant="default"
          size="xs"
          aria-label={`${isChanged ? 'Use default' : 'Change'}: ${name}`}
          onClick={isChanged ? reset : change}
        >
          {isChanged ? 'Use default' : 'Change'}
        </Button>
      </Group>
      {isChanged && (
        <Group grow align="flex-start" mt="sm">
          <NumberInput
            label="Calls"
            aria-label={`Calls: ${name}`}
            allowDecimal={false}
            thousandSeparator
            {...form.getInputProps(`${path}.limit`)}
          />
          <NumberInput
            label="In seconds"
            aria-label={`In seconds: ${name}`}
            allowDecimal={false}
            thousandSeparator
            {...form.getInputProps(`${path}.window_seconds`)}
          />
        </Group>
      )}
    </Paper>
  );
}
