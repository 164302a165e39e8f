// A misspelled argument is refused before anything is sent: the service ignores unknown names, and the call would answer
// OK and change nothing.
import { expect, test } from 'vitest';
import type { Client } from '../src/api.js';
import type * as names from '../src/argument-names.js';
import type * as models from '../src/generated/models.js';
import type { ProviderBSignIn, SignInProof } from '../src/models.js';
import type { Equal, Holds } from './contract-shapes.js';
import { ada, signedInClient, useScriptedService } from './harness.js';

type Names = typeof names;
type Words<S> = S extends `${infer First} ${infer Rest}` ? First | Words<Rest> : S;
type KeysOf<T> = T extends unknown ? keyof T : never;
type SameNames<N extends string, T> = Equal<Words<Names[`${N}Names` & keyof Names]>, KeysOf<T>>;

/** Does not compile unless every list has the names of its type. */
export type Checked = [
  Holds<SameNames<'signIn', models.PasswordCredential>>,
  Holds<SameNames<'signUp', models.SignUp>>,
  Holds<SameNames<'verify', models.EmailCodeSignIn>>,
  Holds<SameNames<'reset', models.PasswordReset>>,
  Holds<SameNames<'providerA', models.ProviderAProof>>,
  Holds<SameNames<'providerB', models.ProviderBProof>>,
  Holds<SameNames<'providerBSignIn', ProviderBSignIn>>,
  Holds<SameNames<'update', models.ProfilePatch>>,
  Holds<SameNames<'changePassword', models.PasswordChange>>,
  Holds<SameNames<'proof', SignInProof>>,
];

const service = useScriptedService();

const misspelled: [name: string, call: (client: Client) => Promise<unknown>][] = [
  ['lastName', ({ me }) => me.update({ lastName: 'Lovelace' } as object)],
  ['firstName', ({ auth }) => auth.signUp({ ...ada, firstName: 'Ada' } as typeof ada)],
  ['mail', ({ auth }) => auth.signIn({ ...ada, mail: 'x' } as typeof ada)],
  ['id_token', ({ auth }) => auth.signInWithProviderA({ id_token: 'x' } as never)],
  ['id_token', ({ auth }) => auth.signInWithProviderB({ id_token: 'x' } as never)],
  ['firstName', ({ auth }) => auth.emailCode.verify({ ...ada, firstName: 'Ada' } as never)],
  ['new_password', ({ auth }) => auth.password.reset({ new_password: 'x' } as never)],
  ['current_password', ({ me }) => me.changePassword({ current_password: 'x' } as never)],
  ['pass', ({ auth }) => auth.reauthenticate({ pass: 'x' } as never)],
  ['id_token', ({ me }) => me.linkIdentity('provider-a', { id_token: 'x' } as never)],
  ['toString', ({ me }) => me.update({ toString: 'x' } as never)],
];

test.each(misspelled)('%s is refused as an argument of %s', async (name, call) => {
  const client = await signedInClient();
  service.requests.length = 0;
  const error = await call(client).catch((caught: unknown) => caught);
  expect(error).toMatchObject({
    code: 'client/invalid-argument',
    // Email codes have other arguments than passwords.
    message: expect.stringMatching(/^client\/invalid-argument: \w+ is not one of /),
  });
  expect(`${error}`).toMatch(new RegExp(`: (${name}|password) is not one of`));
  expect(service.requests).toEqual([]);
});
