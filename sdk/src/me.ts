// `client.me`: the signed-in user's profile and devices.
import type { Me } from './api.js';
import type { Call } from './call.js';
import type { Page, SessionInfo, User } from './models.js';
import { createPageList } from './page-list.js';
import { routes } from './routes.js';

/** `onUser` is told of every profile that an answer brings. */
export function createMe(call: Call, onUser: (user: User) => void): Me {
  async function told(answer: Promise<User>): Promise<User> {
    const user = await answer;
    onUser(user);
    return user;
  }

  return {
    get: (options) => told(call<User>(routes.profile.get, {}, options)),
    update: (patch, options) => told(call<User>(routes.profile.update, { body: patch }, options)),
    sessions: (query, options) =>
      createPageList(
        (page) => call<Page<SessionInfo>>(routes.sessions.list, { query: page }, options),
        query,
      ),
    endSession: (id, options) => call<void>(routes.sessions.end, { params: { id } }, options),
  };
}
