// The sign-in methods: each sends a credential and activates the session of the response.
import type { Auth, CallOptions, Session } from './api.js';
import {
  bodyOf,
  providerANames,
  providerBSignInNames,
  signInNames,
  signUpNames,
  verifyNames,
} from './argument-names.js';
import type { Call } from './call.js';
import type { CodeSent, ProviderATokenAnswer, TokenAnswer } from './generated/models.js';
import type { Route } from './generated/routes.js';
import type { Send } from './http.js';
import { assertTokens } from './refresh.js';
import type { SessionStore } from './session-store.js';
import { parseLink } from './sign-in-link.js';

type SignInMethods = Pick<
  Auth,
  'signUp' | 'signIn' | 'signInWithProviderA' | 'signInWithProviderB' | 'emailCode'
>;

export function createSignIn(sessionStore: SessionStore, send: Send, callOptionalUser: Call): SignInMethods {
  async function start<A extends TokenAnswer>(
    route: Route,
    names: string,
    proof: object,
    options?: CallOptions,
    via: Send = send,
  ): Promise<A> {
    const activate = sessionStore.beginSignIn();
    const answer = assertTokens(await via<A>(route, { body: bodyOf(proof, names) }, options));
    try {
      await activate(answer);
    } catch (error) {
      // Revokes the unused session, so that it does not remain in the user's list of sessions.
      sessionStore.discard(answer);
      throw error;
    }
    return answer;
  }

  const signInBy = (route: Route, names: string, via?: Send) => {
    return async (proof: object, options?: CallOptions): Promise<Session> => {
      const { user } = await start(route, names, proof, options, via);
      return { user };
    };
  };

  return {
    signUp: signInBy('POST /auth/sign-up', signUpNames),
    signIn: signInBy('POST /auth/sign-in', signInNames),
    async signInWithProviderA(proof, options) {
      const answer = await start<ProviderATokenAnswer>(
        'POST /auth/provider-a',
        providerANames,
        proof,
        options,
      );
      return { user: answer.user, isNewUser: answer.is_new_user };
    },
    signInWithProviderB: signInBy('POST /auth/provider-b', providerBSignInNames),
    emailCode: {
      send: (email, options) => send<CodeSent>('POST /auth/email-code/send', { body: { email } }, options),
      verify: signInBy('POST /auth/email-code/verify', verifyNames, callOptionalUser),
      parseLink,
    },
  };
}
