// A filter by user id: it applies once the id is complete.
import { TextInput } from '@mantine/core';
import { isUlid } from '../search-params.ts';
import { useTypedValue } from './use-typed-value.ts';

type Props = { value: string | undefined; onChange: (uid: string | undefined) => void; label?: string };

export function UidFilter({ value = '', onChange, label = 'User id' }: Props) {
  const { typed, setTyped } = useTypedValue({
    value,
    onChange: (uid) => onChange(uid || undefined),
    read: uidIn,
    delayMilliseconds: 0,
  });
  const incomplete = typed.trim() !== '' && uidIn(typed) === '';
  return (
    <TextInput
      label={label}
      value={typed}
      maxLength={40}
      spellCheck={false}
      onChange={(event) => setTyped(event.currentTarget.value)}
      {...(incomplete && {
        description: 'An id has 26 characters.',
        inputWrapperOrder: ['label', 'input', 'description', 'error'] as const,
      })}
    />
  );
}

function uidIn(typed: string): string {
  const uid = typed.trim().toUpperCase();
  return isUlid(uid) ? uid : '';
}
