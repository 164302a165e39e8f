// The sign-in methods: each sends a credential and activates the session of the response.
import type { Auth, CallOptions, Session } from '../api.js';
import type { CodeSent, ProviderATokenAnswer, TokenAnswer } from '../generated/models.js';
import type { Route } from '../generated/routes.js';
import { abortedError, unlessAborted } from '../http/bounded.js';
import { send } from '../http/send.js';
import { callOptionalUser } from '../session/call.js';
import type { Core } from '../session/core.js';
import { withLock } from '../session/lock.js';
import { addSignOut, discard, endRemotely } from '../session/pending-sign-outs.js';
import { assertTokens } from '../session/refresh.js';
import { activate, assertOpen } from '../session/session.js';
import { newSession, readStored, writeStored } from '../session/vault.js';
import { once } from './once.js';
import { parseLink } from './sign-in-link.js';

type SignInMethods = Pick<
  Auth,
  'signUp' | 'signIn' | 'signInWithProviderA' | 'signInWithProviderB' | 'emailCode'
>;

type Credential = [route: Route, body: object, options?: CallOptions, via?: typeof callOptionalUser];

export function createSignIn(core: Core): SignInMethods {
  const by = (route: Route, via?: typeof callOptionalUser) => {
    return async (body: object, options?: CallOptions): Promise<Session> => {
      const { user, is_new_user } = await signIn<ProviderATokenAnswer>(core, route, body, options, via);
      return { user, ...(is_new_user !== undefined && { is_new_user }) } as Session;
    };
  };

  return {
    signUp: by('POST /auth/sign-up'),
    signIn: by('POST /auth/sign-in'),
    signInWithProviderA: by('POST /auth/provider-a') as Auth['signInWithProviderA'],
    signInWithProviderB: by('POST /auth/provider-b'),
    emailCode: {
      send: (email, options) =>
        send<CodeSent>(core, 'POST /auth/email-code/send', { body: { email } }, options),
      verify: by('POST /auth/email-code/verify', callOptionalUser),
      parseLink,
    },
  };
}

/** Joins a pending sign-in with the same credential. */
export function signIn<A extends TokenAnswer>(core: Core, ...given: Credential): Promise<A> {
  const { signingIn } = core;
  const result = once(core, given, () => exchange<A>(core, ...given));
  const earlier = () => signingIn;
  core.signingIn = result.then(earlier, earlier);
  return result;
}

/** Sends a credential and activates the session of the response, unless a sign-out came in between. */
async function exchange<A extends TokenAnswer>(
  core: Core,
  route: Route,
  body: object,
  options?: CallOptions,
  via: typeof callOptionalUser = send,
): Promise<A> {
  const { signOutCount } = core;
  const assertWanted = () => {
    assertOpen(core);
    if (core.signOutCount !== signOutCount) throw abortedError();
  };
  assertWanted();
  // Received later, the end of the user's every session would end the new one.
  const endings = [...core.endings].map(({ everywhere, ending }) => everywhere && ending);
  await unlessAborted(Promise.all(endings), options?.signal);
  const answer = assertTokens(await via<A>(core, route, { body }, options));
  const { device } = core;
  try {
    const stored = newSession(answer);
    await withLock(core, async () => {
      assertWanted();
      // If the storage cannot be read, the write below decides.
      const current = core.active ?? (await readStored(core).catch(() => null));
      // The stored device token is that of an earlier sign-in, perhaps to another account.
      core.device = device;
      // A copy, because the session in use may adopt the new one once that is stored.
      const replaced = current && { ...current };
      assertWanted();
      await writeStored(core, stored);
      if (replaced) {
        addSignOut(core, replaced);
        void endRemotely(core, replaced);
      }
    });
    assertWanted();
    activate(core, stored, answer);
  } catch (error) {
    // Revokes the unused session, so that it does not remain in the user's list of sessions.
    discard(core, answer);
    throw error;
  }
  return answer;
}
