// Errors of collections and their records.
import { limits } from '@foyer/contract';
import { asBackend, newCollection } from '../data-scenario.js';
import type { Context, ReachedOf } from './context.js';

export function dataErrors({ service, token }: Context): ReachedOf<'data'> {
  return {
    'data/collection-not-found': {
      route: 'data.list',
      ask: () => service.call('GET', '/data/nothing', { token: token() }),
    },
    'data/collection-exists': {
      route: 'collections.create',
      async ask() {
        const body = { name: await newCollection(service) };
        return service.call('POST', '/admin/collections', { token: service.app.secretKey, body });
      },
    },
    'data/too-many-collections': {
      route: 'collections.create',
      async ask() {
        const { app, secretKey: token } = await service.newApp();
        const as = { appKey: app.appKey, token };
        await service.call('PATCH', '/admin/settings', { ...as, body: { data: { max_collections: 1 } } });
        await service.call('POST', '/admin/collections', { ...as, body: { name: 'first' } });
        return service.call('POST', '/admin/collections', { ...as, body: { name: 'second' } });
      },
    },
    'data/collection-not-empty': {
      route: 'collections.delete',
      async ask() {
        const name = await newCollection(service);
        await asBackend(service).create(name, {});
        return service.call('DELETE', `/admin/collections/${name}`, { token: service.app.secretKey });
      },
    },
    'data/permission-denied': {
      route: 'data.create',
      ask: async () =>
        service.call('POST', `/data/${await newCollection(service)}`, {
          token: token(),
          body: { fields: {} },
        }),
    },
    'data/not-found': {
      route: 'data.get',
      ask: async () => asBackend(service).get(await newCollection(service), 'nothing'),
    },
    'data/invalid-fields': {
      route: 'data.create',
      ask: async () => asBackend(service).create(await newCollection(service), { $set: 1 }),
    },
    'data/invalid-query': {
      route: 'data.query',
      async ask() {
        const body = { where: [{ field: 'a', op: '~', value: 1 }] };
        return asBackend(service).call('POST', `${await newCollection(service)}/query`, { body });
      },
    },
    'data/query-timeout': {
      route: 'data.query',
      async ask() {
        let passed = 0;
        const elapsed = () => {
          passed += 2_000;
          return passed;
        };
        const passwordHasher = service.deps.passwordHasher;
        const slow = await service.secondInstance({ overrides: { elapsed, passwordHasher } });
        const name = await newCollection(service);
        for (let i = 0; i < 110; i += 1) await asBackend(service).create(name, { i });
        const body = { where: [{ field: 'i', op: '<', value: 0 }], orderBy: [{ field: 'j' }] };
        const answer = await asBackend(slow).call('POST', `${name}/query`, { body });
        await slow.stop();
        return answer;
      },
    },
    'data/record-too-large': {
      route: 'data.replace',
      ask: async () =>
        asBackend(service).put(await newCollection(service), 'large', { a: 'x'.repeat(1_048_576) }),
    },
    'data/quota-exceeded': {
      route: 'data.create',
      async ask() {
        const collection = await newCollection(service, { access_mode: 'owner' });
        const { secretKey } = service.app;
        const quota = (bytes: number) =>
          service.call('PATCH', '/admin/settings', {
            token: secretKey,
            body: { data: { user_quota_bytes: bytes } },
          });
        await quota(0);
        const answer = await service.call('POST', `/data/${collection}`, {
          token: token(),
          body: { fields: {} },
        });
        await quota(limits.userDataBytes.default);
        return answer;
      },
    },
    'data/precondition-failed': {
      route: 'data.replace',
      ask: async () => asBackend(service).put(await newCollection(service), 'a', {}, { 'if-match': '"1"' }),
    },
  };
}
