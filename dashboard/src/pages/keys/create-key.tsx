// The form that creates a secret key. The key is shown once, after it is created.
import { type SecretKeyScope, secretKeyScopes } from '@foyer/contract';
import { Group, NativeSelect, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useApiForm } from '../../components/api-form.ts';
import { DialogForm } from '../../components/dialog-form.tsx';
import { instantOf } from '../../components/local-time.ts';
import { showOnce } from '../../components/shown-once.tsx';
import type { CurrentApp } from '../../current-app.tsx';
import { serviceNow } from '../../service-clock.ts';
import { refreshKeys, scopesText } from './key-query.ts';
import { ScopeChoice } from './scope-choice.tsx';

type Props = { current: CurrentApp; onClose: () => void };

const lifetimes = [
  { value: '', label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
  { value: 'date', label: 'On a date' },
];

export function CreateKey({ current, onClose }: Props) {
  // A repeated click sends the same expiry.
  const [openedAt] = useState(serviceNow);
  const { form, ...submit } = useApiForm({
    initialValues: { name: '', scopes: [] as SecretKeyScope[], lifetime: '', expires_at: '' },
    validate: {
      scopes: (scopes) => (scopes.length === 0 ? 'Choose at least one scope.' : null),
      expires_at: (day, { lifetime }) => (lifetime === 'date' && day === '' ? 'Choose a date.' : null),
    },
    send: ({ name, scopes, lifetime, expires_at }) =>
      current.api.keys.create({
        name,
        // In the order of the contract, whatever the order of the clicks.
        scopes: secretKeyScopes.filter((scope) => scopes.includes(scope)),
        expires_at: expiry(lifetime, expires_at, openedAt),
      }),
    onSaved: (key) => {
      onClose();
      showOnce({
        title: `${key.name} is created`,
        label: 'Secret key',
        value: key.secret_key,
        children: 'Only its hash is stored. Never put it into an app, a web page or a repository.',
      });
      void refreshKeys(current);
    },
  });
  return (
    <DialogForm {...submit} submitLabel="Create key" onClose={onClose}>
      <TextInput
        label="Name"
        description="Where it will be used, such as “nightly export”."
        required
        data-autofocus
        {...form.getInputProps('name')}
      />
      <ScopeChoice
        value={form.values.scopes}
        onChange={(scopes) => form.setFieldValue('scopes', scopes)}
        error={form.errors.scopes}
      />
      <Group grow align="flex-start">
        <NativeSelect label="Expires" data={lifetimes} {...form.getInputProps('lifetime')} />
        {form.values.lifetime === 'date' && (
          <TextInput type="date" label="Date" {...form.getInputProps('expires_at')} />
        )}
      </Group>
      {form.values.scopes.length > 0 && (
        <Text size="sm" role="status">
          The key may: {scopesText(secretKeyScopes.filter((scope) => form.values.scopes.includes(scope)))}.
        </Text>
      )}
    </DialogForm>
  );
}

function expiry(lifetime: string, day: string, now: number): string | null {
  if (lifetime === '') return null;
  // The end of the chosen day, where the reader is.
  if (lifetime === 'date') return instantOf(`${day}T23:59:59`);
  return new Date(now + Number(lifetime) * 86_400_000).toISOString();
}
