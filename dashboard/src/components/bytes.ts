// Sizes of files for people.

const units = ['KiB', 'MiB', 'GiB'];

export function bytesText(bytes: number): string {
  if (bytes < 1_024) return `${bytes} B`;
  let size = bytes;
  let unit = -1;
  while (size >= 1_024 && unit < units.length - 1) {
    size /= 1_024;
    unit += 1;
  }
  return `${size.toLocaleString(undefined, { maximumFractionDigits: 1 })} ${units[unit]}`;
}
