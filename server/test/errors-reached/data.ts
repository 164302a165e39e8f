// Errors of collections and their records.
import { limits } from '@foyer/contract';
import { type Declared, newCollection } from '../data-scenario.js';
import type { Context, ReachedOf } from './context.js';

export function dataErrors({ service, asUser, asBackend, send, on }: Context): ReachedOf<'data'> {
  const collection = async (declared?: Declared) => ({
    collection: await newCollection(service, declared),
    id: 'a',
  });
  const withFields =
    (fields: unknown, more: object = {}) =>
    async () => ({
      ...asBackend,
      params: await collection(),
      body: { fields },
      ...more,
    });
  const set = (data: object) => send('apps.updateSettings', { ...asBackend, body: { data } });
  let passed = 0;
  const elapsed = () => {
    passed += 3_000;
    return passed;
  };

  return {
    'data/collection-not-found': on('data.list', { ...asUser, params: { collection: 'nothing' } }),
    'data/collection-exists': on('collections.create', async () => ({
      ...asBackend,
      body: { name: await newCollection(service) },
    })),
    'data/too-many-collections': on('collections.create', async () => {
      const { app, secretKey: token } = await service.newApp();
      const as = { appKey: app.appKey, token };
      await send('apps.updateSettings', { ...as, body: { data: { max_collections: 1 } } });
      await send('collections.create', { ...as, body: { name: 'first' } });
      return { ...as, body: { name: 'second' } };
    }),
    'data/collection-not-empty': on('collections.delete', async () => {
      const params = await collection();
      await send('data.create', { ...asBackend, params, body: { fields: {} } });
      return { ...asBackend, params: { name: params.collection } };
    }),
    'data/permission-denied': on('data.create', withFields({}, asUser)),
    'data/not-found': on('data.get', async () => ({ ...asBackend, params: await collection() })),
    'data/invalid-fields': on('data.create', withFields({ $set: 1 })),
    'data/invalid-query': on('data.query', async () => ({
      ...asBackend,
      params: await collection(),
      body: { where: [{ field: 'a', op: '~', value: 1 }] },
    })),
    'data/query-timeout': on(
      'data.query',
      async () => {
        const params = await collection();
        await send('data.create', { ...asBackend, params, body: { fields: { i: 1 } } });
        const body = { where: [{ field: 'i', op: '<', value: 0 }], orderBy: [{ field: 'j' }] };
        return { ...asBackend, params, body };
      },
      { instance: { overrides: { elapsed } } },
    ),
    'data/record-too-large': on('data.replace', withFields({ a: 'x'.repeat(1_048_576) })),
    'data/quota-exceeded': {
      route: 'data.create',
      async ask() {
        const params = await collection({ access_mode: 'owner' });
        await set({ user_quota_bytes: 0 });
        const answer = await send('data.create', { ...asUser, params, body: { fields: {} } });
        await set({ user_quota_bytes: limits.userDataBytes.default });
        return answer;
      },
    },
    'data/precondition-failed': on('data.replace', withFields({}, { headers: { 'if-match': '"1"' } })),
  };
}
