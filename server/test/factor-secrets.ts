// Every call of passkeys and of the second factor, valid and invalid, with what only the user may know of them.
import type { Answer, CallOptions, TestService } from './harness.js';
import { flag, forged, newAuthenticator, passkeys } from './passkey-scenario.js';
import { secondFactorScenario } from './second-factor-scenario.js';

type Recorded = {
  service: TestService;
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  secrets: Map<string, string>;
};

export async function sendFactorSecrets({ service, call, secrets }: Recorded): Promise<void> {
  const { codeOf } = secondFactorScenario(() => service);
  const token = service.app.secretKey;
  const email = 'leaked-of-factors@example.com';
  const password = 'leaked password of factors';
  const keep = (what: string, secret: string) => secrets.set(`${what} ${secrets.size}`, secret);
  await call('PATCH', '/admin/settings', { token, body: { passkeys, second_factor: 'optional' } });
  const up = await call('POST', '/auth/sign-up', { body: { email, password } });
  const own = { token: up.json.data.access_token as string };

  const device = newAuthenticator();
  const creation = (await call('POST', '/me/passkeys/options', own)).json.data;
  const credential = device.create(creation);
  for (const _ of ['first', 'again']) await call('POST', '/me/passkeys', { ...own, body: { credential } });
  const options = (await call('POST', '/auth/passkey/options')).json.data;
  const assertion = device.get(options);
  const late = forged(device, assertion, { clientData: { type: 'webauthn.create' } });
  const verify = (given: object) => call('POST', '/auth/passkey/verify', { body: { credential: given } });
  for (const each of [late, assertion, assertion]) await verify(each);
  for (const { challenge } of [creation.public_key, options.public_key])
    keep('a challenge', challenge.slice(-40));
  keep('a passkey', credential.id);
  keep('a signature of a passkey', assertion.response.signature.slice(-40));

  const { secret } = (await call('POST', '/me/factors/totp', own)).json.data;
  await call('POST', '/me/factors/totp/confirm', { ...own, body: { code: codeOf(secret, 9) } });
  const confirm = { ...own, body: { code: codeOf(secret) } };
  const codes: string[] = (await call('POST', '/me/factors/totp/confirm', confirm)).json.data.recovery_codes;
  service.clock.advance(60_000);
  const signIn = async () => {
    const answer = await call('POST', '/auth/sign-in', { body: { email, password } });
    const [ticket] = answer.json.error.fields.ticket;
    keep('a ticket', ticket.slice(-40));
    return ticket as string;
  };
  const ticket = await signIn();
  for (const proof of [
    { totp: codeOf(secret, 9) },
    { recovery_code: 'aaaaa-aaaaa' },
    { totp: `${codeOf(secret)}x` },
    { totp: codeOf(secret) },
    { totp: codeOf(secret) },
  ])
    await call('POST', '/auth/second-factor', { body: { ticket, ...proof } });
  for (const _ of ['first', 'again'])
    await call('POST', '/auth/second-factor', { body: { ticket: await signIn(), recovery_code: codes[0] } });
  const unverified = forged(device, device.get((await call('POST', '/auth/passkey/options')).json.data), {
    flags: flag.userPresent,
  });
  await verify(unverified);
  await call('POST', '/auth/reauthenticate', { ...own, body: { password, totp: codeOf(secret, 9) } });
  keep('a secret of an authenticator app', secret);
  for (const code of codes) keep('a recovery code', code);
  await call('PATCH', '/admin/settings', { token, body: { passkeys: null, second_factor: 'off' } });
  secrets.set('an email of factors', 'leaked-of-factors');
}
