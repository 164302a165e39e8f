// The names that the arguments of each method may have. `sdk/test/argument-names.test.ts` compares them with the types.
import { FoyerError } from './errors.js';
import { wireNames } from './wire-names.js';

export const signInNames = 'email password';
export const signUpNames = 'email password first_name last_name';
export const verifyNames = 'email code first_name last_name';
export const resetNames = 'email password code';
export const providerANames = 'nonce idToken';
export const providerBNames = 'nonce identityToken authorizationCode';
export const providerBSignInNames = 'nonce identityToken authorizationCode first_name last_name';
export const updateNames = 'first_name last_name photo_url';
export const changePasswordNames = 'password currentPassword';
export const proofNames = 'password code providerA providerB';

/** The body of these arguments. A misspelled name is refused: the service would ignore it and change nothing. */
export function bodyOf(input: object, names: string): object {
  for (const name of Object.keys(input)) {
    if (!names.split(' ').includes(name))
      throw new FoyerError('client/invalid-argument', `${name} is not one of ${names}.`);
  }
  return wireNames(input);
}
