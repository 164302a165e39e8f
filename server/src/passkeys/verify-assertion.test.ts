// What an authenticator or a browser may leave out of the signature of a passkey.
import { describe, expect, test } from 'vitest';
import { claimsOf, testService } from '../../test/harness.js';
import { flag, forged, passkeyScenario } from '../../test/passkey-scenario.js';
import { expectRefusal } from '../../test/refusal.js';
import { shared } from '../../test/shared.js';

const service = shared(async () => {
  const started = await testService();
  await passkeyScenario(() => started).enable();
  return started;
});
const scenario = passkeyScenario(() => service);

test('client data that does not say whether its page is embedded is of one that is not', async () => {
  const { device } = await scenario.userWithPasskey();
  const claims = { clientData: { crossOrigin: undefined } };
  const assertion = forged(device, await scenario.assertion(device), claims);
  expect((await scenario.signIn(assertion)).status).toBe(200);
});

describe('a reauthentication without a user handle', () => {
  const without = async (
    { device }: Pick<Awaited<ReturnType<typeof scenario.userWithPasskey>>, 'device'>,
    userHandle: string | null | undefined,
  ) => {
    const assertion = await scenario.assertion(device);
    return { ...assertion, response: { ...assertion.response, userHandle } };
  };

  test.each([[undefined], [null], ['']])('(%j) is accepted, since the user is known', async (handle) => {
    const person = await scenario.userWithPasskey();
    const { access_token: token } = person.user.tokens;
    const answer = await scenario.reauthenticate(token, await without(person, handle));
    expect([answer.status, answer.code]).toEqual([200, undefined]);
  });

  test("is refused with another user's passkey", async () => {
    const [mine, other] = [await scenario.userWithPasskey(), await scenario.userWithPasskey()];
    const answer = await scenario.reauthenticate(
      mine.user.tokens.access_token,
      await without(other, undefined),
    );
    expectRefusal(answer, 'auth/invalid-credential');
  });
});

test('a passkey that did not verify the user renews the sign-in time of one without a second factor', async () => {
  await service.changeSettings({ second_factor: 'optional' });
  const { user, device } = await scenario.userWithPasskey();
  const passkey = forged(device, await scenario.assertion(device), { flags: flag.userPresent });
  const answer = await scenario.reauthenticate(user.tokens.access_token, passkey);
  expect([answer.status, answer.code]).toEqual([200, undefined]);
  expect(claimsOf(answer.data.access_token).amr).toEqual(['swk', 'user']);
});
