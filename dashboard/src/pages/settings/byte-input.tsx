// An input for a size in bytes, in the unit that fits it.
import { Group, NativeSelect, NumberInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { type ByteUnit, byteUnits, unitOf } from '../../components/quantities.ts';

type Props = {
  label: string;
  description: string;
  value: number | '';
  onChange: (bytes: number | '') => void;
  error?: ReactNode;
};

export function ByteInput({ label, description, value, onChange, error }: Props) {
  const [unit, setUnit] = useState<ByteUnit>(() => unitOf(Number(value)));
  return (
    <Group align="flex-end" gap="sm" wrap="nowrap">
      <NumberInput
        flex={1}
        miw={0}
        label={label}
        description={description}
        value={value === '' ? '' : value / byteUnits[unit]}
        onChange={(size) => onChange(size === '' ? '' : Math.round(Number(size) * byteUnits[unit]))}
        error={error}
        decimalScale={unit === 'B' ? 0 : 3}
        allowNegative={false}
        thousandSeparator
        hideControls
      />
      <NativeSelect
        w={90}
        aria-label={`Unit of: ${label}`}
        value={unit}
        data={Object.keys(byteUnits)}
        onChange={(event) => setUnit(event.currentTarget.value as ByteUnit)}
      />
    </Group>
  );
}
