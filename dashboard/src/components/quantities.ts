// Durations, sizes and counts in words.

const durations = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** A duration in words, such as `1 hour 30 minutes`. */
export function durationText(seconds: number): string {
  let rest = Math.round(seconds);
  const parts: string[] = [];
  for (const [unit, length] of durations) {
    const count = Math.floor(rest / length);
    rest -= count * length;
    if (count > 0) parts.push(`${count} ${unit}${count === 1 ? '' : 's'}`);
  }
  return parts.join(' ') || '0 seconds';
}

export const byteUnits = { B: 1, KiB: 1_024, MiB: 1_024 ** 2, GiB: 1_024 ** 3 } as const;
export type ByteUnit = keyof typeof byteUnits;

/** Rounded, in the largest unit that it reaches. */
export function bytesText(bytes: number): string {
  const unit = (Object.keys(byteUnits) as ByteUnit[]).findLast((each) => bytes >= byteUnits[each]) ?? 'B';
  return `${(bytes / byteUnits[unit]).toLocaleString(undefined, { maximumFractionDigits: 1 })} ${unit}`;
}

/** The largest unit in which the size is a whole number. */
export function unitOf(bytes: number): ByteUnit {
  const units = Object.keys(byteUnits) as ByteUnit[];
  return units.findLast((unit) => bytes >= byteUnits[unit] && bytes % byteUnits[unit] === 0) ?? 'B';
}

/** A number with its sign: `+170`, `−5`. */
export function signedText(number: number): string {
  return `${number < 0 ? '−' : '+'}${Math.abs(number).toLocaleString()}`;
}

export function devicesText(count: number): string {
  return count === 1 ? '1 device' : `${count.toLocaleString()} devices`;
}
