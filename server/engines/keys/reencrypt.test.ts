import { expect, test } from 'vitest';
import { reencryptRows } from './reencrypt.js';

const currentKeyId = 1;

/** Rows by number, with the id of their key. `onReplace` runs before each replacement. */
function rowsOf(keyIds: number[], onReplace: (row: number) => void = () => {}) {
  const lists: (number | null)[] = [];
  const run = () =>
    reencryptRows<number>(
      { currentKeyId },
      {
        async list(last, keyId, maxRows) {
          lists.push(last);
          const later = [...keyIds.keys()].filter((row) => row > (last ?? -1) && keyIds[row] !== keyId);
          return later.slice(0, maxRows);
        },
        async replace(row) {
          const read = keyIds[row];
          onReplace(row);
          if (keyIds[row] !== read) return 0;
          keyIds[row] = currentKeyId;
          return 1;
        },
      },
    );
  return { keyIds, lists, run };
}

test.each([
  [0, [null]],
  [99, [null]],
  [100, [null, 99]],
  [201, [null, 99, 199]],
])('%i rows are replaced in batches of a hundred, each read once', async (count, lists) => {
  const rows = rowsOf(Array(count).fill(2));
  expect(await rows.run()).toBe(count);
  expect(rows.lists).toEqual(lists);
  expect(rows.keyIds).toEqual(Array(count).fill(currentKeyId));
});

test('an interrupted run is resumed: rows that are done are not replaced again', async () => {
  let left = 120;
  const rows = rowsOf(Array(201).fill(2), () => {
    left -= 1;
    if (left < 0) throw new Error('interrupted');
  });
  await expect(rows.run()).rejects.toThrow('interrupted');
  expect(rows.keyIds.filter((keyId) => keyId === currentKeyId)).toHaveLength(120);
  left = 1_000;
  expect(await rows.run()).toBe(81);
});

test('a row that changed while it was replaced keeps its new value, which is replaced later if its key is a former one', async () => {
  const written = new Set<number>();
  const rows = rowsOf(Array(150).fill(2), (row) => {
    if (row % 50 !== 0 || written.has(row)) return;
    written.add(row);
    rows.keyIds[row] = row === 50 ? 3 : currentKeyId;
  });
  expect(await rows.run()).toBe(148);
  expect(rows.keyIds).toEqual(Array(150).fill(currentKeyId));
});
