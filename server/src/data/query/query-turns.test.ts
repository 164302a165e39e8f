// Who may go on with a long query, and who waits.
import { expect, test } from 'vitest';
import { queryTurns } from './query-turns.js';

test('two of an app go on, a third when one has ended, and other apps are not kept', async () => {
  const turns = queryTurns('postgresql');
  const [first, second] = [await turns.takeLong('a', 100), await turns.takeLong('a', 100)];
  let came = false;
  const third = turns.takeLong('a', 30_000).then((end) => {
    came = true;
    return end;
  });
  const other = await turns.takeLong('b', 0);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(came).toBe(false);
  first();
  (await third)();
  second();
  other();
  for (const end of [await turns.takeLong('a', 0), await turns.takeLong('a', 0)]) end();
});

test('whose time is over before a turn comes is refused, and keeps nobody from it', async () => {
  const turns = queryTurns('postgresql');
  const [first, second] = [await turns.takeLong('a', 0), await turns.takeLong('a', 0)];
  await expect(turns.takeLong('a', 10)).rejects.toMatchObject({ code: 'data/query-timeout' });
  first();
  const end = await turns.takeLong('a', 0);
  end();
  second();
});

test('more than can come to their turn do not wait at all', async () => {
  const turns = queryTurns('postgresql');
  const ends = [await turns.takeLong('a', 0), await turns.takeLong('a', 0)];
  const waiting = Array.from({ length: 20 }, () => turns.takeLong('a', 30_000));
  await expect(turns.takeLong('a', 30_000)).rejects.toMatchObject({ code: 'data/query-timeout' });
  for (const end of ends) end();
  for (const turn of waiting) (await turn)();
});

test('long turns keep nobody from a quick one, of which there are four', async () => {
  const turns = queryTurns('postgresql');
  const long = [await turns.takeLong('a', 0), await turns.takeLong('a', 0)];
  const quick = [1, 2, 3, 4].map(() => turns.takeQuick('a', 0));
  await expect(turns.takeQuick('a', 10)).rejects.toMatchObject({ code: 'data/query-timeout' });
  for (const end of [...long, ...(await Promise.all(quick))]) end();
});

test('the one connection of the embedded database is taken by one of each', async () => {
  const turns = queryTurns('embedded');
  const [quick, long] = [await turns.takeQuick('a', 0), await turns.takeLong('a', 0)];
  await expect(turns.takeQuick('a', 10)).rejects.toMatchObject({ code: 'data/query-timeout' });
  await expect(turns.takeLong('a', 10)).rejects.toMatchObject({ code: 'data/query-timeout' });
  quick();
  long();
});
