// The tokens of devices over HTTP: which are accepted, and which are of one device. Their forms: token-rules.test.ts.
import { createECDH, createHash, randomUUID } from 'node:crypto';
import type { PushDevice } from '@foyer/contract';
import { expect, test } from 'vitest';
import { testService } from '../../../test/harness.js';
import { expectRefusal } from '../../../test/refusal.js';
import { shared } from '../../../test/shared.js';

const service = shared(() => testService());
const register = (body: object) =>
  service.call<PushDevice>('POST', '/push/devices', {
    body: { provider: 'fcm', platform: 'android', ...body },
  });
const rowOf = (id: string) => service.database.prisma.pushDevice.findFirst({ where: { id } });

const keys = {
  p256dh: createECDH('prime256v1').generateKeys('base64url'),
  auth: Buffer.alloc(16).toString('base64url'),
};
const web = { provider: 'webpush', platform: 'web', keys };

test('the token of Web Push is a public https URL with valid keys', async () => {
  const good = await register({ ...web, token: 'https://192.0.43.8/subscription' });
  expect(good.status).toBe(201);
  expect(good.text).not.toContain('192.0.43.8');
});

test('the token of Web Push without keys, or with a point off the curve, is refused with the field', async () => {
  const token = 'https://192.0.43.8/other';
  const p256dh = Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 1)]).toString('base64url');
  for (const invalid of [undefined, { ...keys, p256dh }]) {
    const answer = await register({ ...web, token, keys: invalid });
    expectRefusal(answer, 'push/invalid-token', { 'keys.p256dh': [expect.any(String)] });
  }
});

test('the token of Web Push is one device in every spelling of its URL, also of one that was stored in another spelling', async () => {
  const path = randomUUID();
  const spellings = [
    `https://push.example.com/${path}/~a?k=%2F`,
    `https://PUSH.example.com:443/${path}/~a?k=%2f`,
    `https://push.example.com./${path}/%7Ea?k=%2F#fragment`,
    `https://push.example.com/x/../${path}/%7ea?k=%2F`,
    `HTTPS://push.example.com/./${path}/~%61?k=%2F`,
  ];
  const answers = [];
  for (const token of spellings) answers.push(await register({ ...web, token }));
  expect(answers.map(({ status }) => status)).toEqual([201, 200, 200, 200, 200]);
  const { id } = answers[0]!.data;
  expect(new Set(answers.map(({ data }) => data.id))).toEqual(new Set([id]));
  expect((await register({ ...web, token: `https://push.example.com/${path}/~a?k=/` })).data.id).not.toBe(id);

  // An earlier release stored them so: two devices.
  const formerIds = ['01HZZZZZZZZZZZZZZZZZZZZZZ1', '01HZZZZZZZZZZZZZZZZZZZZZZ2'];
  const former = async (token: string, deviceId: string, more: { appId?: string } = {}) => {
    const row = (await rowOf(id))!;
    const tokenHash = createHash('sha256').update(token).digest();
    await service.database.prisma.pushDevice.create({ data: { ...row, id: deviceId, tokenHash, ...more } });
  };
  await former(spellings[1]!, formerIds[0]!);
  const { app: other } = await service.newApp();
  const ofOther = '01HZZZZZZZZZZZZZZZZZZZZZZ3';
  await former(spellings[1]!, ofOther, { appId: other.id });
  expect((await register({ ...web, token: spellings[1] })).data.id).toBe(id);
  expect(await rowOf(formerIds[0]!)).toBeNull();
  const hash = createHash('sha256').update(spellings[1]!).digest();
  expect((await rowOf(ofOther))?.tokenHash).toEqual(new Uint8Array(hash));
  await former(spellings[2]!, formerIds[1]!);
  await service.database.prisma.pushDevice.deleteMany({ where: { id } });
  const renamed = await register({ ...web, token: spellings[2] });
  expect([renamed.status, renamed.data.id]).toEqual([200, formerIds[1]]);
  expect((await register({ ...web, token: spellings[0] })).data.id).toBe(formerIds[1]);
  await service.database.prisma.pushDevice.deleteMany({ where: { id: formerIds[1]! } });
});

test('a token has at most 4,096 characters', async () => {
  expect((await register({ token: 'x'.repeat(4_096) })).status).toBe(201);
  expectRefusal(await register({ token: 'x'.repeat(4_097) }), 'request/validation-failed', {
    token: [expect.any(String)],
  });
});
