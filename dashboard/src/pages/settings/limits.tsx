// The section Limits: the hourly limits of the app and its rate limits.
import {
  type AppSettings,
  limits,
  type RateLimitGroup,
  type RateLimitPolicy,
  ruleWithFactor,
} from '@foyer/contract';
import { NumberInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { durationText } from '../../components/quantities.ts';
import { rateLimitNames } from './rate-limit-names.ts';
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
        description={`In the whole app; as many again with a verified email. One network uses at most half of them. Default ${signUpsPerHour.default.toLocaleString()}.`}
        allowDecimal={false}
        thousandSeparator
        {...form.getInputProps('limits.sign_ups_per_hour')}
      />
      <NumberInput
        label="Codes to emails without an account per hour"
        description={`In the whole app; further codes are not emailed. One network uses at most half of them. Default ${mailsToStrangersPerHour.default.toLocaleString()}.`}
        allowDecimal={false}
        thousandSeparator
        {...form.getInputProps('limits.mails_to_strangers_per_hour')}
      />
      {(Object.keys(rateLimitNames) as RateLimitGroup[]).map((group) => (
        <RateLimit key={group} group={group} form={form} />
      ))}
    </SectionForm>
  );
}

type RateLimitProps = { group: RateLimitGroup; form: UseFormReturnType<Values> };

function RateLimit({ group, form }: RateLimitProps) {
  const { title, description, policies } = rateLimitNames[group];
  const factor = Number(form.values.rate_limits[group]);
  const isValid = factor >= limits.rateLimitFactor.min && factor <= limits.rateLimitFactor.max;
  const named = Object.entries(policies) as [RateLimitPolicy, string][];
  const figures = named.map(([policy, name]) => {
    const { limit, windowSeconds } = ruleWithFactor(policy, isValid ? factor : 1);
    return `${limit.toLocaleString()} ${name} in ${durationText(windowSeconds)}`;
  });
  return (
    <NumberInput
      label={`${title}: factor`}
      description={`${description} Now ${figures.join(', ')}.`}
      {...form.getInputProps(`rate_limits.${group}`)}
    />
  );
}
