// `passkeys(client)`: signs in with passkeys, and adds, lists and removes those of the signed-in user.
import type { CallOptions, Client, Session } from '../api.js';
import { FoyerError, isFoyerError } from '../errors.js';
import type {
  AcceptedPasskeys,
  Passkey,
  PasskeyAssertion,
  PasskeyCreationOptions,
  PasskeySignInOptions,
  TokenAnswer,
} from '../generated/models.js';
import { abortedError, unlessAborted } from '../http/bounded.js';
import { send } from '../http/send.js';
import type { Page } from '../models.js';
import { call, callOptionalUser } from '../session/call.js';
import { coreOf } from '../session/core.js';
import { uidOf } from '../session/restore.js';
import { createPageList } from './page-list.js';
import {
  browserCeremony,
  type Ceremony,
  type Feature,
  type How,
  nativeCeremony,
} from './passkey-ceremony.js';
import { inDialog, untilChosen } from './passkey-turns.js';
import type {
  NativePasskeys,
  PasskeyRegister,
  PasskeySignIn,
  Passkeys,
  RequestOptions,
} from './passkey-types.js';
import { signIn } from './sign-in.js';

/** The part of its lifetime after which a challenge is replaced while the browser waits for the user. */
const renewedAfter = 0.8;

/**
 * Returns the passkey methods of a client: those of the browser, or with a module such as `react-native-passkeys` those of the
 * device. They reject with `client/passkey-cancelled` when the user declines or has no passkey here, which browsers do not
 * distinguish, `client/passkey-unsupported`, and `client/passkey-wrong-domain` on a page or in an app whose domain is not that
 * of the passkeys. Throws `client/invalid-argument` when `client` was not created by `createClient`.
 *
 * @example
 * const keys = passkeys(client);
 * await keys.signIn();
 * await keys.register({ name: 'My laptop' });
 */
export function passkeys(client: Client, native?: NativePasskeys): Passkeys {
  const core = coreOf(client);
  const ceremony = native ? nativeCeremony(native) : browserCeremony;
  const requestOptions = (given: CallOptions, via: typeof callOptionalUser = send) =>
    via<PasskeySignInOptions>(core, 'POST /auth/passkey/options', {}, given);

  async function signInWith({ autofill, ...given }: PasskeySignIn = {}): Promise<Session> {
    await requireSupport(ceremony, autofill && 'conditionalGet');
    if (!autofill)
      return inDialog(async () => verify(await chosen((await requestOptions(given)).public_key, given)));
    const waiting = untilChosen(client, given.signal, async (turn) => {
      const { signal } = turn;
      const { public_key, expires_in } = await requestOptions({ ...given, signal });
      const timer = setTimeout(() => turn.abort(), expires_in * 1_000 * renewedAfter);
      return chosen(public_key, { signal, mediation: 'conditional' }).finally(() => clearTimeout(timer));
    });
    return verify(await waiting);

    async function verify({ credential, rpId }: Awaited<ReturnType<typeof chosen>>): Promise<Session> {
      try {
        const { user } = await signIn<TokenAnswer>(core, 'POST /auth/passkey/verify', { credential }, given);
        return { user };
      } catch (error) {
        // Only then: for any other reason the passkey may be good, and the password manager would forget it.
        if (isFoyerError(error, 'auth/invalid-credential') && error.fields['credential.id'])
          ceremony.signalUnknown(rpId, credential.id);
        throw error;
      }
    }
  }

  async function chosen(request: RequestOptions, { signal, mediation }: How) {
    const credential = await answered(() => ceremony.get(request, { signal, mediation }), signal);
    return { credential, rpId: request.rpId };
  }

  async function register({ name, conditional, ...given }: PasskeyRegister = {}): Promise<Passkey> {
    await requireSupport(ceremony, conditional && 'conditionalCreate');
    const { public_key } = await call<PasskeyCreationOptions>(core, 'POST /me/passkeys/options', {}, given);
    const how: How = { signal: given.signal, mediation: conditional ? 'conditional' : undefined };
    const credential = await answered(() => ceremony.create(public_key, how), given.signal);
    try {
      return await call<Passkey>(core, 'POST /me/passkeys', { body: { credential, name } }, given);
    } catch (error) {
      // The password manager has a passkey that the service does not know.
      if (isRefusal(error)) ceremony.signalUnknown(public_key.rp.id, credential.id);
      throw error;
    }
  }

  async function prove(given: CallOptions = {}): Promise<PasskeyAssertion> {
    await requireSupport(ceremony);
    const { public_key } = await requestOptions(given, callOptionalUser);
    return (await chosen(public_key, given)).credential;
  }

  return {
    isAvailable: ({ autofill } = {}) => ceremony.isSupported(autofill && 'conditionalGet'),
    signIn: signInWith,
    register: (options) => inDialog(() => register(options)),
    proof: (options) => inDialog(() => prove(options)),
    list: (query, options) =>
      createPageList(
        (page) => call<Page<Passkey>>(core, 'GET /me/passkeys', { query: page }, options),
        query,
        () => uidOf(core),
      ),
    rename: (id, name, options) =>
      call<Passkey>(core, 'PATCH /me/passkeys/:id', { params: { id }, body: { name } }, options),
    async remove(id, options) {
      const input = { params: { id } };
      const accepted = await call<AcceptedPasskeys>(core, 'DELETE /me/passkeys/:id', input, options);
      // The response to a repeated request is that there is no such passkey any more.
      if (accepted) ceremony.signalAccepted(accepted);
    },
  };
}

async function requireSupport(ceremony: Ceremony, feature?: Feature | false): Promise<void> {
  if (!(await ceremony.isSupported(feature)))
    throw new FoyerError('client/passkey-unsupported', 'There are no passkeys here.');
}

/** By the name, code or message of an error: that of a browser, or of a native module. */
const codes: [RegExp, FoyerError['code']][] = [
  [/NotAllowed|cancel|NoCredential/i, 'client/passkey-cancelled'],
  [/not_?supported|Constraint/i, 'client/passkey-unsupported'],
  [/Security|not_?configured/i, 'client/passkey-wrong-domain'],
  [/invalid_?state/i, 'auth/passkey-already-registered'],
];

async function answered<T>(ask: () => Promise<T | null>, signal?: AbortSignal): Promise<T> {
  let answer: T | null;
  try {
    answer = await unlessAborted(ask(), signal);
  } catch (cause) {
    if (signal?.aborted) throw abortedError();
    const { name, code, message } = cause as Partial<Record<string, unknown>>;
    const known = codes.find(([pattern]) => pattern.test(`${name} ${code} ${message}`));
    throw new FoyerError(known?.[1] ?? 'client/passkey-failed', String(message), { cause });
  }
  if (answer) return answer;
  throw new FoyerError('client/passkey-cancelled', 'No passkey was chosen.');
}

/** True when the service has decided that it does not store the passkey. */
function isRefusal(error: unknown): boolean {
  if (!isFoyerError(error) || error.code === 'auth/passkey-already-registered') return false;
  return error.status >= 400 && error.status < 500 && !/408|429/.test(`${error.status}`);
}
