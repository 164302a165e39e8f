// Asks whether a large number of points is meant: entries cannot be removed.
import { Checkbox } from '@mantine/core';
import { signedText } from '../../components/quantities.ts';
import { isLarge } from './points-rules.ts';

type Props = {
  points: number | string;
  /** The number that was confirmed last: another one is asked about again. */
  confirmed: number | null;
  onConfirm: (points: number | null) => void;
};

export function LargePoints({ points, confirmed, onConfirm }: Props) {
  if (!isLarge(points)) return null;
  return (
    <Checkbox
      label={`${signedText(points)} points is the number that I mean`}
      checked={confirmed === points}
      onChange={(event) => onConfirm(event.currentTarget.checked ? points : null)}
    />
  );
}
