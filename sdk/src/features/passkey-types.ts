// The public types of `passkeys`.
import type { CallOptions, PageList, RepeatableCallOptions, Session } from '../api.js';
import type {
  PageQuery,
  Passkey,
  PasskeyAssertion,
  PasskeyCreationOptions,
  PasskeySignInOptions,
} from '../generated/models.js';

export type CreationOptions = PasskeyCreationOptions['public_key'];
export type RequestOptions = Omit<PasskeySignInOptions['public_key'], 'userVerification'> & {
  userVerification: 'preferred' | 'required';
};

/**
 * The functions of a native module that create and use passkeys, such as `react-native-passkeys`. They take and return the JSON
 * of WebAuthn.
 */
export interface NativePasskeys {
  /** Creates a passkey; `null` when the user declines. */
  create(creation: CreationOptions): Promise<object | null>;
  /** Asks for a passkey; `null` when the user declines. */
  get(request: RequestOptions): Promise<object | null>;
  /** False on a device without passkeys. */
  isSupported?(): boolean;
}

export interface PasskeySignIn extends CallOptions {
  /**
   * True: no dialog; the browser offers the passkeys in the suggestions of a field with `autocomplete="username webauthn"`,
   * and the promise waits until the user chooses one. Rejects with `client/aborted` when the user signs in otherwise.
   */
  autofill?: boolean | undefined;
}

export interface PasskeyRegister extends CallOptions {
  /** The name in the user's list. Default: that of the password manager. */
  name?: string | undefined;
  /**
   * True: no dialog; the password manager that has just filled in the user's password adds a passkey, if it does that. Call it
   * after a sign-in with a password, and ignore `client/passkey-cancelled` and `client/passkey-unsupported`.
   */
  conditional?: boolean | undefined;
}

export interface Passkeys {
  /** True where passkeys can be used; with `autofill`, where the browser offers them in the suggestions of a field. */
  isAvailable(options?: { autofill?: boolean | undefined }): Promise<boolean>;
  /** Signs in with a passkey that the user chooses; nobody types an email. */
  signIn(options?: PasskeySignIn): Promise<Session>;
  /**
   * Creates a passkey for the signed-in user. Requires a recent sign-in. Rejects with `auth/passkey-already-registered` when the
   * authenticator has one of this user, and with `auth/too-many-passkeys`.
   */
  register(options?: PasskeyRegister): Promise<Passkey>;
  /**
   * Asks for a passkey, and does not sign in: `{ passkey: await proof() }` is a credential for `auth.reauthenticate`.
   */
  proof(options?: CallOptions): Promise<PasskeyAssertion>;
  /** The user's passkeys, newest first. */
  list(query?: PageQuery, options?: RepeatableCallOptions): PageList<Passkey>;
  /** Renames a passkey in the user's list; the password manager keeps its own name. */
  rename(id: string, name: string, options?: CallOptions): Promise<Passkey>;
  /** Removes a passkey, and tells the browser. Requires a recent sign-in. */
  remove(id: string, options?: RepeatableCallOptions): Promise<void>;
}
