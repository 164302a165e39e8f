// How long an access token of Google is used; server/src/push/messages/providers.test.ts has the messages.
import { expect, test } from 'vitest';
import { rsaKeyPair } from '../../test/key-pairs.js';
import { fcmSender } from './fcm.js';

const key = `${rsaKeyPair('service account').privateKey.export({ type: 'pkcs8', format: 'pem' })}`;
const accountOf = (clientEmail: string) => ({ projectId: 'project-1', clientEmail, privateKey: key });
const account = accountOf('push@example.com');

/** A sender with a clock, the number of requests for a token, and what these are answered. */
function fcm() {
  const state = {
    now: 1_800_000_000_000,
    asked: 0,
    answer: (): Response => Response.json({ access_token: `token ${state.asked}`, expires_in: 3_600 }),
  };
  const answer = async (url: unknown) => {
    if (url !== 'https://token.example/') return Response.json({});
    state.asked += 1;
    return state.answer();
  };
  const deps = { fetch: answer as typeof fetch, clock: { now: () => new Date(state.now) } };
  const addresses = { fcmUrl: 'https://fcm.example', fcmTokenUrl: 'https://token.example/' };
  return { state, sender: fcmSender(deps, addresses) };
}

test('an access token is used until a minute before it expires', async () => {
  const { state, sender } = fcm();
  await sender.send(account, {});
  state.now += 3_539_999;
  await sender.send(account, {});
  expect(state.asked).toBe(1);
  state.now += 1;
  await sender.send(account, {});
  expect(state.asked).toBe(2);
});

test.each([
  ['no access token', { expires_in: 3_600 }, 200, 502],
  ['no lifetime', { access_token: 'token' }, 200, 502],
  ['a lifetime that is a string', { access_token: 'token', expires_in: '3600' }, 200, 502],
  ['a refusal', { error: 'invalid_grant' }, 400, 400],
  ['a refusal with a token', { access_token: 'token', expires_in: 3_600 }, 401, 401],
])('with %s nothing is sent, and the next message asks again', async (_, body, status, answered) => {
  const { state, sender } = fcm();
  const given = state.answer;
  state.answer = () => Response.json(body, { status });
  expect(await sender.send(account, {})).toMatchObject({ from: 'token', status: answered });
  state.answer = given;
  expect(await sender.send(account, {})).toMatchObject({ from: 'messages', status: 200 });
  expect(state.asked).toBe(2);
});

/** Counts while its token is requested; a key that cannot be read ends the request at once. */
const sendInVain = (sender: ReturnType<typeof fcmSender>, clientEmail: string) =>
  sender.send({ ...accountOf(clientEmail), privateKey: 'no key' }, {}).then(
    () => 'sent',
    () => 'refused',
  );

test('the access tokens of a thousand accounts are kept, and all are dropped for one more', async () => {
  const { state, sender } = fcm();
  await sender.send(account, {});
  const others = Array.from({ length: 999 }, (_, i) => sendInVain(sender, `${i}@example.com`));
  const kept = sender.send(account, {});
  others.push(sendInVain(sender, 'another@example.com'));
  const dropped = sender.send(account, {});
  await kept;
  await dropped;
  expect([state.asked, new Set(await Promise.all(others))]).toEqual([2, new Set(['refused'])]);
});
