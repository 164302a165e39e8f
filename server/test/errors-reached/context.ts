// The context that the requests of each area use, and the type of a request.
import type { ErrorCode } from '@foyer/contract';
import { codeScenario } from '../code-scenario.js';
import type { Answer, TestService, TestUser } from '../harness.js';
import type { ProviderScenario } from '../provider-scenario.js';
import type { RawAnswer } from '../raw-http.js';

export type Reached = {
  /** The route that answers, if any. */
  route?: string;
  ask(): Promise<Answer | RawAnswer>;
};

/** One request for every code of an area: `auth` has those that begin with `auth/`. */
export type ReachedOf<Area extends string> = Record<Extract<ErrorCode, `${Area}/${string}`>, Reached>;

export type Context = ReturnType<typeof contextOf>;

export function contextOf(providers: ProviderScenario, user: TestUser) {
  const { service } = providers;
  const adminCall: TestService['call'] = (method, path, options) =>
    service.call(method, path, { token: service.app.secretKey, ...options });
  return {
    providers,
    service,
    user,
    token: () => user.tokens.access_token,
    scenario: codeScenario(() => service),
    adminCall,
    putConfig: (parameters: object, headers: Record<string, string> = { 'if-match': '*' }) =>
      service.call('PUT', '/admin/config', { token: service.app.secretKey, headers, body: { parameters } }),
  };
}
