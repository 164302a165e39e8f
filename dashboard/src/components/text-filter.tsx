// A text that filters a list: it applies shortly after the last key.
import { TextInput } from '@mantine/core';
import { useTypedValue } from './use-typed-value.ts';

type Props = {
  label: string;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
  placeholder?: string;
  maxLength?: number;
};

export function TextFilter({ label, value = '', onChange, placeholder, maxLength = 300 }: Props) {
  const { typed, setTyped, apply } = useTypedValue({
    value,
    onChange: (text) => onChange(text || undefined),
  });
  return (
    <TextInput
      label={label}
      value={typed}
      maxLength={maxLength}
      spellCheck={false}
      {...(placeholder && { placeholder })}
      onChange={(event) => setTyped(event.currentTarget.value)}
      // Before a link is followed: applied later, the filter would lead back to the list.
      onBlur={() => apply()}
    />
  );
}
