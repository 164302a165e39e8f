// Adds or deducts points of the selected users.
import { limits } from '@foyer/contract';
import { NumberInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import { LargePoints } from './large-points.tsx';
import { isLarge } from './points-rules.ts';
import { RunForm, type RunProps } from './run-dialog.tsx';

export function AddPoints(props: RunProps) {
  const [points, setPoints] = useState<number | string>('');
  const [description, setDescription] = useState('');
  const [confirmed, setConfirmed] = useState<number | null>(null);
  const isUnconfirmed = isLarge(points) && confirmed !== points;
  const isComplete =
    typeof points === 'number' && Number.isInteger(points) && points !== 0 && description.trim() !== '';
  const { loyalty } = props.current.api;
  return (
    <RunForm
      {...props}
      confirmLabel={typeof points === 'number' && points < 0 ? 'Deduct points' : 'Add points'}
      change={isComplete && !isUnconfirmed ? ({ uid }) => loyalty.add(uid, { points, description }) : null}
    >
      <NumberInput
        label="Points for each"
        description="Enter a negative number to deduct points."
        allowDecimal={false}
        thousandSeparator
        min={-limits.maxPoints}
        max={limits.maxPoints}
        required
        data-autofocus
        value={points}
        onChange={setPoints}
      />
      <TextInput
        label="Description"
        description="The users see it in their history."
        required
        maxLength={limits.maxPointsDescriptionCharacters}
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
      <LargePoints points={points} confirmed={confirmed} onConfirm={setConfirmed} />
    </RunForm>
  );
}
