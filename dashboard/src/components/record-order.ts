// The order of a table of records, as the headers of its columns name it.

export type RecordOrder = { field: string; direction: 'asc' | 'desc' };

export function orderText({ field, direction }: RecordOrder): string {
  return `${direction} ${field}`;
}

export function orderIn(text: string): RecordOrder {
  const [direction, ...field] = text.split(' ');
  return { field: field.join(' '), direction: direction === 'desc' ? 'desc' : 'asc' };
}
