// A text that filters a list: it applies shortly after the last key.
import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';

type Props = {
  label: string;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
  placeholder?: string;
  maxLength?: number;
};

const debounceMilliseconds = 300;

export function TextFilter({ label, value = '', onChange, placeholder, maxLength = 300 }: Props) {
  const [typed, setTyped] = useState(value);
  const [applied, setApplied] = useState(value);
  const apply = useDebouncedCallback((text: string) => {
    setApplied(text);
    onChange(text || undefined);
  }, debounceMilliseconds);
  // The address was changed by something else, such as the Back button.
  if (value !== applied) {
    setApplied(value);
    setTyped(value);
  }
  return (
    <TextInput
      label={label}
      value={typed}
      maxLength={maxLength}
      spellCheck={false}
      {...(placeholder && { placeholder })}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        apply(event.currentTarget.value.trim());
      }}
      // Before a link is followed: applied later, the filter would lead back to the list.
      onBlur={() => apply.flush()}
    />
  );
}
