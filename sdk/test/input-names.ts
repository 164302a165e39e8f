// Assertions that the compiler checks: what the public methods take has the names of the wire, in snake_case. The options of a
// call, which have `signal`, keep camelCase. Never run; `npm run typecheck` compiles it.
import type { Admin } from '../src/admin/index.js';
import type {
  Client,
  Collection,
  createNonce,
  Files,
  Passkeys,
  Push,
  RemoteConfig,
  SecondFactor,
} from '../src/index.js';
import type { createServerClient } from '../src/server/index.js';
import type { FakeService } from '../src/testing/index.js';
import type { Equal } from './contract-shapes.js';

declare function holds<T extends true>(): T;

// biome-ignore lint/suspicious/noExplicitAny: a method of any kind.
type Method = (...given: any[]) => unknown;
type Plain = string | number | boolean | bigint | null | undefined | Blob | Headers | Method;

/** The names in camelCase in an object that is sent, at every depth. */
type CamelCaseIn<T> = T extends Plain
  ? never
  : T extends readonly (infer Item)[]
    ? CamelCaseIn<Item>
    : T extends object
      ? string extends keyof T
        ? CamelCaseIn<T[keyof T]>
        : 'signal' extends keyof T
          ? never
          : {
              [K in keyof T & string]-?: (IsCamelCase<K> extends true ? K : never) | CamelCaseIn<T[K]>;
            }[keyof T & string]
      : never;
type IsCamelCase<Name extends string> = Name extends Lowercase<Name> ? false : true;

/** The names in camelCase in the inputs of a method, or of all methods of an object. */
type InputNames<T> = T extends (...given: infer Given) => unknown
  ? CamelCaseIn<Given[number]>
  : T extends object
    ? { [K in keyof T]-?: InputNames<T[K]> }[keyof T]
    : never;

// A passkey in a reauthentication is JSON of WebAuthn, whose names are in camelCase.
holds<Equal<InputNames<Omit<Client['auth'], 'reauthenticate' | 'withRecentSignIn'>>, never>>();
holds<Equal<InputNames<Client['me']>, never>>();
// `registerWeb` is given an object of the platform.
holds<Equal<InputNames<Omit<Push, 'registerWeb'>>, never>>();
holds<Equal<InputNames<Files>, never>>();
holds<Equal<InputNames<Passkeys>, never>>();
holds<Equal<InputNames<SecondFactor>, never>>();
holds<Equal<InputNames<RemoteConfig>, never>>();
holds<Equal<InputNames<Collection<{ title: string }>>, never>>();
holds<Equal<InputNames<Omit<Admin, 'collection' | 'verifyAccessToken'>>, never>>();
// Options of the SDK itself, which are not sent: how a nonce is made, and a client of a server.
holds<Equal<InputNames<typeof createNonce>, 'randomBytes'>>();
holds<'accessToken' extends InputNames<typeof createServerClient> ? true : false>();
// The users of a test are those of the wire; `addRecord` and `idToken` take options.
holds<Equal<InputNames<Pick<FakeService, 'addUser' | 'updateUser'>>, never>>();

// Control: a name in camelCase is found, also inside an object and a list, and that of an option is not.
interface Wrong {
  signIn(
    proof: { identity_token: string; authorizationCode: string },
    options?: { signal?: AbortSignal; timeoutMs?: number },
  ): void;
  update(patch: { inner?: { deepName: string }[] | null; values: Record<string, { otherName: 1 }> }): void;
}
holds<Equal<InputNames<Wrong>, 'authorizationCode' | 'deepName' | 'otherName'>>();
