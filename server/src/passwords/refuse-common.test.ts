// The setting refuse_common_passwords, wherever a password is set.
import { expect, test } from 'vitest';
import { codeScenario } from '../../test/code-scenario.js';
import { testService } from '../../test/harness.js';
import { shared } from '../../test/shared.js';
import { byCommandLine } from '../model/actor.js';
import { updateSettings } from '../settings/settings.js';

const service = shared(() => testService());

const scenario = codeScenario(() => service);
const common = 'Football';
const sentence = 'is one of the most common passwords';

async function refuseCommonPasswords(refuse: boolean) {
  await updateSettings(service.deps, byCommandLine(service.app.app.id), { refuse_common_passwords: refuse });
  service.deps.apps.forget();
}

test('every call that sets a password refuses a common one, with the reason, only if the app enables it', async () => {
  const { email, uid, tokens } = await service.signUp();
  const { secretKey: token } = service.app;
  const names = { first_name: 'Ada', last_name: 'Lovelace' };
  const set = async (password: string): Promise<Record<string, [string, string, object]>> => ({
    'sign-up': ['POST', '/auth/sign-up', { body: { email: 'one@example.com', password } }],
    reset: [
      'POST',
      '/auth/password/reset',
      { body: { email, password, code: await scenario.resetCode(email) } },
    ],
    'a change': ['PUT', '/me/password', { token: tokens.access_token, body: { password } }],
    'v1 register': [
      'POST',
      '/register',
      {
        version: 'v1',
        body: { ...names, email: 'two@example.com', password, password_confirmation: password },
      },
    ],
    'admin create': ['POST', '/admin/users', { token, body: { email: 'three@example.com', password } }],
    'admin update': ['PATCH', `/admin/users/${uid}`, { token, body: { password } }],
  });

  await refuseCommonPasswords(true);
  for (const [name, [method, path, options]] of Object.entries(await set(common))) {
    const { status, json } = await service.call(method, path, options);
    const refusal =
      name === 'v1 register'
        ? { message: `The password ${sentence}.` }
        : { error: { code: 'auth/weak-password', fields: { password: [sentence] } } };
    expect([name, status, json]).toMatchObject([name, 422, refusal]);
  }
  const body = { email: 'four@example.com', password: service.app.app.slug };
  const named = await service.call('POST', '/auth/sign-up', { body });
  expect(named.json.error.fields).toEqual({ password: ['is the name of the app'] });

  await refuseCommonPasswords(false);
  // The change comes first, since a reset ends the session; other changes invalidate an emailed code.
  for (const name of Object.keys(await set(common)).sort()) {
    const [method, path, options] = (await set(common))[name] as [string, string, object];
    const { status } = await service.call(method, path, options);
    expect([name, status < 300]).toEqual([name, true]);
  }
});

test('an existing common password still signs in', async () => {
  await refuseCommonPasswords(false);
  const user = await service.signUp({ password: common });
  await refuseCommonPasswords(true);
  expect((await service.signIn(user)).status).toBe(200);
  await refuseCommonPasswords(false);
});
