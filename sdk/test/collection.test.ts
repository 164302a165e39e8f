// Records through the SDK against the scripted service: network failures and signed-out clients.
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Client } from '../src/api.js';
import { FoyerError } from '../src/errors.js';
import { collection, createCollection } from '../src/features/collection.js';
import {
  ada,
  bob,
  codeOf,
  movingClock,
  newClient,
  signedInClient,
  stopClock,
  useScriptedService,
} from './harness.js';
import { lostAnswer, refuses } from './mishaps.js';

const service = useScriptedService();
type Note = { title: string; count: number; author?: { name: string } };
const notesOf = (client: Client) => collection<Note>(client, 'notes');
const put = 'PUT /api/v2/data/notes/a';

test('a record is created, read, merged, replaced and deleted, and null afterwards', async () => {
  const notes = notesOf(await signedInClient());
  const { id } = await notes.create({ title: 'first', count: 0 });
  expect((await notes.merge(id, { author: { name: 'Ada' } })).fields.author?.name).toBe('Ada');
  expect((await notes.replace(id, { title: 'second', count: 1 })).version).toBe(3);
  expect((await notes.get(id))?.fields).toEqual({ title: 'second', count: 1 });
  await notes.delete(id);
  expect(await notes.get(id)).toBeNull();
  expect(await codeOf(notes.delete(id))).toBe('data/not-found');
});

test('requests of signed-out clients carry no token, and those of signed-in ones always do', async () => {
  const notes = notesOf(newClient());
  expect(await codeOf(notes.create({ title: 'open', count: 0 }))).toBe('auth/invalid-token');
  expect(service.requests.at(-1)?.authorization).toBeUndefined();
  await notesOf(await signedInClient()).list();
  expect(service.requests.at(-1)?.authorization).toMatch(/^Bearer eyJ/);
});

test.each([
  ['a list', (notes: ReturnType<typeof notesOf>) => notes.list()],
  ['a query', (notes: ReturnType<typeof notesOf>) => notes.query().orderBy('title')],
])('the pages of %s that one user has read are not given to the next', async (_, of) => {
  const client = newClient();
  const records = of(notesOf(client));
  // Nobody owns it yet.
  await codeOf(records);
  await client.auth.signUp(ada);
  await records;
  await client.auth.signUp(bob);
  expect(await codeOf(records)).toBe('client/signed-out');
  expect(await codeOf(records.toArray({ limit: 1 }))).toBe('client/signed-out');
});

test('lists and queries are paginated, and each query step returns a new query', async () => {
  const notes = notesOf(await signedInClient());
  for (const id of ['a', 'b', 'c', 'd', 'e']) await notes.replace(id, { title: id, count: 0 });
  const titles: string[] = [];
  for await (const { fields } of notes.list({ limit: 2 })) titles.push(fields.title);
  expect(titles).toEqual(['a', 'b', 'c', 'd', 'e']);
  const all = notes.query().orderBy('title').limit(2);
  const some = all.where('count', '>=', 0).where('author.name', '!=', null).startAfter(['a']);
  expect((await all).items).toHaveLength(2);
  expect(await all.toArray({ limit: 4 })).toHaveLength(4);
  const bodies = () =>
    service.requests
      .filter(({ route }) => route.endsWith('/query'))
      .map(({ body }) => JSON.parse(body.toString()));
  expect(bodies()).toEqual([
    { where: [], orderBy: [{ field: 'title', direction: 'asc' }], limit: 2 },
    {
      where: [],
      orderBy: [{ field: 'title', direction: 'asc' }],
      limit: 2,
      startAfter: (await all).next_cursor,
    },
  ]);
  await some;
  expect(bodies().at(-1)).toEqual({
    where: [
      { field: 'count', op: '>=', value: 0 },
      { field: 'author.name', op: '!=', value: null },
    ],
    orderBy: [{ field: 'title', direction: 'asc' }],
    limit: 2,
    startAfter: ['a'],
  });
});

test('update starts over after a concurrent write and loses neither change', async () => {
  const notes = notesOf(await signedInClient());
  await notes.replace('a', { title: 'a', count: 0 });
  const raise = ({ count, ...rest }: Note) => ({ ...rest, count: count + 1 });
  await Promise.all(Array.from({ length: 5 }, () => notes.update('a', raise)));
  expect((await notes.get('a'))?.fields.count).toBe(5);
});

test('update fails after ten attempts, and immediately on other errors', async () => {
  const notes = notesOf(await signedInClient());
  await notes.replace('a', { title: 'a', count: 0 });
  service.always.set(put, refuses(412, 'data/precondition-failed'));
  const before = service.count(put);
  stopClock();
  expect(await movingClock(codeOf(notes.update('a', (fields) => fields)))).toBe('data/precondition-failed');
  expect(service.count(put) - before).toBe(10);
  service.always.set(put, refuses(403, 'data/permission-denied'));
  expect(await codeOf(notes.update('a', (fields) => fields))).toBe('data/permission-denied');
  expect(await codeOf(notes.update('b', (fields) => fields))).toBe('data/not-found');
  expect(service.count(put) - before).toBe(11);
});

test('update waits longer, for a random time, before each attempt, so that one of several writers succeeds', async () => {
  stopClock();
  const random = vi.spyOn(Math, 'random').mockReturnValue(1);
  onTestFinished(() => random.mockRestore());
  const beganMs = Date.now();
  const writtenAfterMs: number[] = [];
  const notes = createCollection<Note>(async (route) => {
    if (route.startsWith('GET ')) return { fields: {}, version: 1 } as never;
    writtenAfterMs.push(Date.now() - beganMs);
    throw new FoyerError('data/precondition-failed');
  }, 'notes');
  const update = codeOf(notes.update('a', (fields) => fields));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await update).toBe('data/precondition-failed');
  expect(writtenAfterMs).toEqual([0, 20, 60, 120, 200, 300, 420, 560, 720, 900]);
});

test('a conditional write whose response is lost is not retried', async () => {
  const notes = notesOf(await signedInClient());
  await notes.replace('a', { title: 'a', count: 0 });
  service.next(put, lostAnswer);
  const counted = notes.update('a', (fields) => ({ ...fields, count: fields.count + 1 }));
  expect(await codeOf(counted)).toBe('client/network');
  expect((await notes.get('a'))?.fields.count).toBe(1);
  service.next(put, lostAnswer);
  stopClock();
  expect((await movingClock(notes.replace('a', { title: 'again', count: 2 }))).fields.count).toBe(2);
});

test('conditions are sent as headers', async () => {
  const notes = notesOf(await signedInClient());
  const { version } = await notes.replace('a', { title: 'a', count: 0 }, { ifAbsent: true });
  const again = notes.replace('a', { title: 'b', count: 0 }, { ifAbsent: true });
  expect(await codeOf(again)).toBe('data/precondition-failed');
  const later = notes.merge('a', { count: 1 }, { ifVersion: version + 1 });
  expect(await codeOf(later)).toBe('data/precondition-failed');
  expect((await notes.merge('a', { count: 1 }, { ifVersion: version })).version).toBe(version + 1);
  await notes.delete('a', { ifVersion: version + 1 });
});
