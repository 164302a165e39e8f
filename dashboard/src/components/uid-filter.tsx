// A filter by user id: it applies once the id is complete.
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { isUlid } from '../search-params.ts';

type Props = { value: string | undefined; onChange: (uid: string | undefined) => void; label?: string };

export function UidFilter({ value, onChange, label = 'User id' }: Props) {
  const [typed, setTyped] = useState(value ?? '');
  const [applied, setApplied] = useState(value);
  // The address was changed by something else, such as the Back button.
  if (value !== applied) {
    setApplied(value);
    setTyped(value ?? '');
  }
  function type(text: string) {
    setTyped(text);
    const uid = text.trim().toUpperCase();
    const next = isUlid(uid) ? uid : undefined;
    if (next === value) return;
    setApplied(next);
    onChange(next);
  }
  const incomplete = typed.trim() !== '' && value === undefined;
  return (
    <TextInput
      label={label}
      value={typed}
      maxLength={40}
      spellCheck={false}
      onChange={(event) => type(event.currentTarget.value)}
      {...(incomplete && {
        description: 'An id has 26 characters.',
        inputWrapperOrder: ['label', 'input', 'description', 'error'] as const,
      })}
    />
  );
}
