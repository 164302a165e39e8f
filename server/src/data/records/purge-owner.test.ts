// Records of a deleted account.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testOnServer, untilBlocked } from '../../../test/blocked.js';
import { newCollection } from '../../../test/data-scenario.js';
import { cheapPasswordHasher, type TestService, testService } from '../../../test/harness.js';

let service: TestService;
beforeAll(async () => {
  service = await testService({ overrides: { passwordHasher: await cheapPasswordHasher() } });
});
afterAll(() => service.stop());

const create = (collection: string, token: string) =>
  service.call('POST', `/data/${collection}`, { token, body: { fields: { a: 1 } } });
const recordsOf = (ownerUid: string) => service.database.prisma.record.count({ where: { ownerUid } });

test('the records of a deleted account are deleted or retained with its uid, as the collection declares', async () => {
  const [deleting, retaining] = [
    await newCollection(service, { access_mode: 'shared', indexed_fields: ['a'] }),
    await newCollection(service, { access_mode: 'shared', on_user_delete: 'keep', indexed_fields: ['a'] }),
  ];
  const [user, other] = [await service.signUp(), await service.signUp()];
  for (const collection of [deleting, retaining]) {
    for (const { tokens } of [user, user, other]) await create(collection, tokens.access_token);
  }
  expect((await service.call('DELETE', '/me', { token: user.tokens.access_token })).status).toBe(204);
  const listed = async (collection: string) => {
    const answer = await service.call<{ items: { owner_uid: string }[] }>('GET', `/data/${collection}`, {
      token: other.tokens.access_token,
    });
    return answer.data.items.map(({ owner_uid }) => owner_uid);
  };
  expect(await listed(deleting)).toEqual([other.uid]);
  expect((await listed(retaining)).sort()).toEqual([user.uid, user.uid, other.uid].sort());
  expect(await service.database.prisma.recordIndex.count()).toBe(4);
});

test('records beyond one batch are deleted in the background', async () => {
  const collection = await newCollection(service, { access_mode: 'owner' });
  const { id: collectionId } = await service.database.prisma.collection.findFirstOrThrow({
    where: { name: collection },
  });
  const [user, other] = [await service.signUp(), await service.signUp()];
  const now = service.clock.now();
  for (const { uid, count } of [
    { uid: user.uid, count: 2_500 },
    { uid: other.uid, count: 10 },
  ]) {
    await service.database.prisma.record.createMany({
      data: Array.from({ length: count }, (_, i) => ({
        ...{
          appId: service.app.app.id,
          collectionId,
          id: `${uid}-${i}`,
          fields: {},
          bytes: 2,
          ownerUid: uid,
        },
        ...{ createdAt: now, updatedAt: now },
      })),
    });
  }
  expect((await service.call('DELETE', '/me', { token: user.tokens.access_token })).status).toBe(204);
  expect(await recordsOf(user.uid)).toBe(1_500);
  await service.advance(10_000);
  expect(await recordsOf(user.uid)).toBe(0);
  expect(await recordsOf(other.uid)).toBe(10);
});

testOnServer('a record that another user is changing is deleted with its owner', async () => {
  const collection = await newCollection(service, { access_mode: 'shared' });
  const user = await service.signUp();
  const { id } = (await create(collection, user.tokens.access_token)).data as { id: string };
  let deletion: ReturnType<typeof service.call> | undefined;
  await service.database.prisma.$transaction(
    async (tx) => {
      await tx.$executeRaw`UPDATE records SET version = version + 1 WHERE id = ${id}`;
      deletion = service.call('DELETE', '/me', { token: user.tokens.access_token });
      await untilBlocked(service.database, 1);
    },
    { timeout: 60_000 },
  );
  expect((await deletion)?.status).toBe(204);
  await service.advance(10_000);
  expect(await recordsOf(user.uid)).toBe(0);
});
