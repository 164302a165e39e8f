// The team of a test service: owners of the service, and members of its apps with their sessions.
import type { ConsoleApp, NewInvitation, Role, TokenAnswer } from '@foyer/contract';
import { firstOwnerLink, ownerLink } from '../src/console/invitations/owner-link.js';
import type { App } from '../src/model/app.js';
import type { Answer, CallOptions, TestService } from './harness.js';

export const memberPassword = 'a long password of a member';

export type TestMember = { uid: string; email: string; token: string; refreshToken: string };

export type TeamScenario = Awaited<ReturnType<typeof teamScenario>>;

export async function teamScenario(current: () => TestService) {
  const service = current();
  const { baseUrl } = service.deps.config;
  const consoleApp: App = await service.deps.apps.console();

  /** A call with the app key of the dashboard. */
  const call = <Data = unknown>(method: string, path: string, options: CallOptions = {}) =>
    current().call<Data>(method, path, { appKey: consoleApp.appKey, ...options });

  const accept = (body: object, options: CallOptions = {}) =>
    call<TokenAnswer>('POST', '/console/invitations/accept', {
      body: { password: memberPassword, ...body },
      ...options,
    });

  async function joined(answer: Answer<TokenAnswer>): Promise<TestMember> {
    if (answer.status !== 200) throw new Error(`accepting answered ${answer.status}: ${answer.text}`);
    const { user, access_token: token, refresh_token: refreshToken } = answer.data;
    return { uid: user.uid, email: user.email, token, refreshToken };
  }

  const newEmail = () => `member-${service.deps.random.ulid(service.clock.now()).toLowerCase()}@example.com`;

  /** An owner of the service, by a link of the command line. */
  async function newOwner(email = newEmail()): Promise<TestMember> {
    return joined(await accept({ token: tokenIn(await ownerLink(service.deps, baseUrl)), email }));
  }

  const owner = await newOwner();
  let signedInAt = service.clock.now().getTime();

  /** A token of the first owner, who signed in recently. */
  async function ownerToken(): Promise<string> {
    const now = service.clock.now().getTime();
    if (now - signedInAt > 60_000) {
      const credentials = { email: owner.email, password: memberPassword };
      const answer = await current().signIn(credentials, { appKey: consoleApp.appKey });
      owner.token = answer.data.access_token;
      signedInAt = now;
    }
    return owner.token;
  }

  async function invite(
    appId: string,
    body: { email: string; role: Role },
    by?: string,
  ): Promise<NewInvitation> {
    const token = by ?? (await ownerToken());
    const answer = await call<NewInvitation>('POST', `/console/apps/${appId}/members`, { token, body });
    if (answer.status !== 201) throw new Error(`inviting answered ${answer.status}: ${answer.text}`);
    return answer.data;
  }

  return {
    consoleApp,
    owner,
    call,
    accept,
    invite,
    newEmail,
    newOwner,
    ownerToken,
    /** A new member of an app. */
    async newMember(appId: string, role: Role, email = newEmail()): Promise<TestMember> {
      const { link } = await invite(appId, { email, role });
      return joined(await accept({ token: tokenIn(link) }));
    },
    /** The link that a start of the service would print. */
    firstOwnerLink: () => firstOwnerLink(service.deps, baseUrl),
    ownerLink: () => ownerLink(service.deps, baseUrl),
    newApp: async (name: string) =>
      (await call<ConsoleApp>('POST', '/console/apps', { token: await ownerToken(), body: { name } })).data,
  };
}

/** The token in a link. */
export function tokenIn(link: string): string {
  return link.slice(link.indexOf('#') + 1);
}
