// The endpoints of the scripted service that the fake service does not have: push devices, files and queries, as far as the
// tests of the SDK's own calls need their answers.
import type { FileInfo, PushDevice } from '../src/generated/models.js';
import type { Route } from '../src/generated/routes.js';
import {
  type Call,
  data,
  forAnyone,
  forAnyUser,
  forUser,
  type Handlers,
  noContent,
  pageOf,
  Refusal,
} from '../src/testing/fake-answer.js';
import type { FakeClock } from '../src/testing/fake-clock.js';
import type { StoredRecord } from '../src/testing/fake-records.js';

/** A point of P-256, as `pushManager.subscribe` requires. */
const webKey = 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4';

export function extraEndpoints(recordsOf: (collection: string) => Iterable<StoredRecord>) {
  /** The key is the provider and the token. */
  const devices = new Map<string, PushDevice>();
  const files = new Map<string, Partial<FileInfo>>();

  function register(clock: FakeClock, { body, session }: Call) {
    const key = `${body.provider} ${body.token}`;
    const known = devices.get(key);
    const { keys: _, token: __, ...given } = body;
    const made = { id: known?.id ?? clock.newId(), topics: [], user_uid: session?.uid ?? null };
    devices.set(key, { ...given, ...made } as unknown as PushDevice);
    return data(devices.get(key), known ? 200 : 201);
  }

  /** A device belongs to no user, or to the caller. */
  function find({ params, session }: Call): [string, PushDevice] {
    const found = [...devices].find(([, { id }]) => id === params.id);
    if (found && (found[1].user_uid ?? session?.uid) === session?.uid) return found;
    throw new Refusal('push/device-not-found');
  }

  function changeTopics(call: Call) {
    find(call);
    return noContent;
  }

  function fileOf({ params }: Call) {
    const found = files.get(params.id!);
    if (found) return found;
    throw new Refusal('files/not-found');
  }

  /** Every record, by title: conditions are not evaluated. */
  function query({ params, body }: Call) {
    const { limit = 25, startAfter } = body as { limit?: number; startAfter?: string | unknown[] };
    const after = typeof startAfter === 'string' ? startAfter : '';
    const rest = [...recordsOf(params.collection!)].filter(({ id }) => id > after);
    const page = rest.slice(0, limit);
    return data({ items: page, next_cursor: rest.length > limit ? page.at(-1)!.id : null });
  }

  const handlers = (clock: FakeClock): Partial<Handlers<Route>> => ({
    'POST /push/devices': forAnyUser((call) => register(clock, call)),
    'GET /push/devices': forUser((call) => pageOf([...devices.values()], call)),
    'DELETE /push/devices/:id': forAnyUser((call) => {
      devices.delete(find(call)[0]);
      return noContent;
    }),
    'PUT /push/devices/:id/topics/:topic': forAnyUser(changeTopics),
    'DELETE /push/devices/:id/topics/:topic': forAnyUser(changeTopics),
    'GET /push/web-key': forAnyone(() => data({ public_key: webKey })),
    'POST /files': forUser((call) => data({ id: call.session.id }, 201)),
    'GET /files/:id': forAnyUser((call) => data(fileOf(call))),
    'GET /files/:id/url': forAnyUser((call) => data({ url: `https://foyer.test/${fileOf(call).id}` })),
    'DELETE /files/:id': forUser((call) => {
      fileOf(call);
      files.delete(call.params.id!);
      return noContent;
    }),
    'POST /data/:collection/query': forAnyUser(query),
  });
  return { devices, files, handlers };
}
