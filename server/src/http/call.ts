// The call of a request, for routes: with what the contract demands of its caller.
import type { EndpointAuth } from '@foyer/contract';
import type { Call, CallFor, V1Call } from '../model/call.js';

type Called = { call?: Call | undefined };
type Access<Route> = Route extends { metadata: { auth: infer Auth extends EndpointAuth } }
  ? Auth
  : EndpointAuth;

/** The route says what the guard has checked, and so the type. */
export function callOf<Route>(req: Called & { tsRestRoute: Route }): CallFor<Access<Route>> {
  return requireCall(req) as CallFor<Access<Route>>;
}

/** Returns the call of a signed-in user of v1. */
export function v1CallOf(req: Called): V1Call {
  const call = requireCall(req);
  if (!call.v1Token) throw new Error('the contract does not demand a signed-in call here');
  return call as V1Call;
}

/** The call, where the route is not known. */
export function requireCall({ call }: Called): Call {
  if (!call) throw new Error('the guard did not run before this route');
  return call;
}
