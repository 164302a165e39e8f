// The form that adds an entry to the loyalty ledger.
import { type AdminUser, limits } from '@foyer/contract';
import { NumberInput, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useApiForm } from '../../components/api-form.ts';
import { DialogForm } from '../../components/dialog-form.tsx';
import { notifySaved } from '../../components/notify.ts';
import type { CurrentApp } from '../../current-app.tsx';
import { LargePoints } from './large-points.tsx';
import { balanceFault, isLarge } from './points-rules.ts';
import { refreshUser } from './user-query.ts';

type Props = { current: CurrentApp; user: AdminUser; onClose: () => void };

export function AddEntry({ current, user, onClose }: Props) {
  const { form, ...submit } = useApiForm({
    initialValues: { points: '' as number | string, description: '', reference: '' },
    validate: {
      points: (points) =>
        Number.isInteger(points) && points !== 0 ? null : 'Enter a whole number other than 0.',
    },
    send: ({ points, description, reference }) =>
      current.api.loyalty.add(user.uid, {
        points: Number(points),
        description,
        ...(reference !== '' && { reference }),
      }),
    onSaved: ({ loyalty }) => {
      void refreshUser(current, user.uid);
      notifySaved(`The balance is now ${loyalty.points.toLocaleString()} points.`);
      onClose();
    },
  });
  const [confirmed, setConfirmed] = useState<number | null>(null);
  const { points } = form.values;
  const fault = typeof points === 'number' ? balanceFault(user.points, points) : null;
  const isUnconfirmed = isLarge(points) && confirmed !== points;
  return (
    <DialogForm
      {...submit}
      submitLabel="Add entry"
      disabled={fault !== null || isUnconfirmed}
      onClose={onClose}
    >
      <NumberInput
        label="Points"
        description="Enter a negative number to deduct points."
        allowDecimal={false}
        thousandSeparator
        required
        data-autofocus
        {...form.getInputProps('points')}
        {...(fault !== null && { error: fault })}
      />
      <TextInput
        label="Description"
        description="The user sees it in the history."
        required
        maxLength={limits.maxPointsDescriptionCharacters}
        {...form.getInputProps('description')}
      />
      <TextInput
        label="Reference"
        description="Optional. If the user has an entry with this reference already, no second one is added."
        maxLength={limits.maxPointsReferenceCharacters}
        {...form.getInputProps('reference')}
      />
      {fault === null && <LargePoints points={points} confirmed={confirmed} onConfirm={setConfirmed} />}
      {typeof points === 'number' && points !== 0 && fault === null && (
        <Text size="sm" c="dimmed">
          New balance: {(user.points + points).toLocaleString()} points. Entries cannot be changed or removed;
          add another one to correct a mistake.
        </Text>
      )}
    </DialogForm>
  );
}
