// `client.auth`: signing up, in and out, and the state that follows.
import type { Auth, CallOptions, Session } from './api.js';
import type { StateStream } from './auth-state.js';
import { refusesToken } from './call.js';
import { freshToken, type HeldSession } from './held-session.js';
import type { Send } from './http.js';
import type { TokenAnswer } from './models.js';
import { checkedAnswer, isDenied, refreshOnce } from './refresh.js';
import { type Route, routes } from './routes.js';
import type { SessionKeeper } from './session-keeper.js';
import type { TokenStorage } from './storage.js';
import type { Stored } from './vault.js';

export function createAuth(
  keeper: SessionKeeper,
  state: StateStream,
  storage: TokenStorage,
  send: Send,
): Auth {
  async function start(route: Route, body: object, options?: CallOptions): Promise<Session> {
    const holdAnswer = keeper.beginSignIn();
    const answer = checkedAnswer(await send<TokenAnswer>(route, { body }, options));
    try {
      await holdAnswer(answer);
    } catch (error) {
      // Nobody will ever use this session, so it should not stand in the user's list of devices.
      void send(routes.sessions.signOut, {}, {}, answer.access_token).catch(() => {});
      throw error;
    }
    return { user: answer.user };
  }

  async function endAtService(session: HeldSession | Stored, everywhere: boolean, options: CallOptions) {
    const route = everywhere ? routes.sessions.signOutAll : routes.sessions.signOut;
    const end = (token: string) => send<void>(route, {}, options, token);
    const renewed = async () => (await refreshOnce(send, session.refreshToken, options.signal)).access_token;
    const known = freshToken(session);
    // After a start there is no access token yet, and without one the service could not end anything.
    if (!known) return end(await renewed());
    return end(known).catch(async (error) => {
      if (!refusesToken(error)) throw error;
      return end(await renewed());
    });
  }

  return {
    get state() {
      return state.current;
    },
    get persistent() {
      return storage.persistent !== false;
    },
    onStateChange: state.listen,
    ready: keeper.ready,
    async getAccessToken(options = {}) {
      return (await keeper.bearer(options)).token;
    },
    signUp: (account, options) => start(routes.signIn.signUp, account, options),
    signIn: (credential, options) => start(routes.signIn.withPassword, credential, options),
    async signOut({ everywhere = false, ...options } = {}) {
      const { session, failure } = await keeper.signOut();
      let remote = false;
      if (session) {
        try {
          await endAtService(session, everywhere, options);
          remote = true;
        } catch (error) {
          // A session that the service has ended already needs no ending; other devices' sessions still do.
          remote = isDenied(error) && !everywhere;
        }
      }
      // The token still stands in the storage and works: the next start would be signed in.
      if (failure && !remote) throw failure;
      return { remote };
    },
  };
}
