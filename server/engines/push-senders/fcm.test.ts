// How long an access token of Google is used; server/src/push/messages/providers.test.ts has the messages.
import { expect, test } from 'vitest';
import { rsaKeyPair } from '../../test/key-pairs.js';
import { fcmSender } from './fcm.js';

test('an access token is used until a minute before it expires', async () => {
  let now = 1_800_000_000_000;
  let given = 0;
  const answer = async (url: unknown) => {
    if (url !== 'https://token.example/') return Response.json({});
    given += 1;
    return Response.json({ access_token: `token ${given}`, expires_in: 3_600 });
  };
  const deps = { fetch: answer as typeof fetch, clock: { now: () => new Date(now) } };
  const addresses = { fcmUrl: 'https://fcm.example', fcmTokenUrl: 'https://token.example/' };
  const sender = fcmSender(deps, addresses);
  const privateKey = rsaKeyPair('service account').privateKey.export({ type: 'pkcs8', format: 'pem' });
  const account = { projectId: 'project-1', clientEmail: 'push@example.com', privateKey: `${privateKey}` };
  await sender.send(account, {});
  now += 3_539_999;
  await sender.send(account, {});
  expect(given).toBe(1);
  now += 1;
  await sender.send(account, {});
  expect(given).toBe(2);
});
