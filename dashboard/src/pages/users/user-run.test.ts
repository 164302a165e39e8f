// A change of several users.
import { expect, test } from 'vitest';
import { createUserRun } from './user-run.ts';

test('each user is changed once, however often the run is started', async () => {
  const run = createUserRun(['ada', 'grace']);
  const changed: string[] = [];
  const change = async (user: string) => changed.push(user);
  const unchanged = await Promise.all([run.start(change), run.start(change)]);
  await run.start(change);
  expect(changed).toEqual(['ada', 'grace']);
  expect(unchanged).toEqual([[], []]);
  expect(run.outcome()).toEqual({ state: 'finished', done: 2, failed: [] });
});

test('a failure is reported with its user, and the others are changed', async () => {
  const run = createUserRun(['ada', 'grace', 'linus']);
  const error = new Error('There is no such user.');
  const unchanged = await run.start(async (user) => {
    if (user === 'grace') throw error;
  });
  expect(unchanged).toEqual(['grace']);
  expect(run.outcome()).toEqual({
    state: 'finished',
    done: 3,
    failed: [{ user: 'grace', error }],
  });
});

test('a run that is stopped ends with the call in progress', async () => {
  const run = createUserRun(['ada', 'grace', 'linus']);
  const unchanged = await run.start(async (user) => user === 'grace' && run.stop());
  expect(unchanged).toEqual(['linus']);
  expect(run.outcome()).toEqual({ state: 'finished', done: 2, failed: [] });
});
