// HTTP of the user's identities.
import { contract, errorMap, ProviderBProof, ProviderProof, RedirectProof } from '@foyer/contract';
import { initServer, RequestValidationError } from '@ts-rest/express';
import type * as z from 'zod';
import type { Deps } from '../deps.js';
import { callOf } from '../http/call.js';
import { created, noContent, ok } from '../http/data-answer.js';
import type { App } from '../model/app.js';
import { sessionIdsOf } from '../model/call.js';
import { linkIdentity } from './link-identity.js';
import { listIdentities } from './list-identities.js';
import { type ProviderProof as Proof, proofOf, proofOfProvider } from './proof.js';
import { requireKnownProvider } from './provider.js';
import { proofOfCode } from './redirect-code.js';
import { unlinkIdentity } from './remove-identities.js';

export function identityRoutes(deps: Deps) {
  return initServer().router(contract.identities, {
    list: async ({ req, query }) => ok(await listIdentities(deps, sessionIdsOf(callOf(req)), query)),
    link: async ({ req, params }) => {
      const call = callOf(req);
      requireKnownProvider(call.app, params.provider);
      return created(await linkIdentity(deps, call, proofIn(deps, call.app, req.body, params.provider)));
    },
    unlink: async ({ req, params }) => {
      await unlinkIdentity(deps, callOf(req), params.provider);
      return noContent;
    },
  });
}

/** The contract accepts the body of any provider; it must be that of the provider in the path. */
function proofIn(deps: Deps, app: App, body: unknown, provider: string): Proof {
  const { id_token, identity_token, code } = Object(body);
  if (code !== undefined && id_token === undefined && identity_token === undefined)
    return proofOfCode(deps, app, parsed(RedirectProof, body), provider);
  const isOfAny = id_token !== undefined && identity_token === undefined;
  const hasCode = provider === 'provider-b' && !isOfAny;
  return hasCode
    ? proofOf(parsed(ProviderBProof, body))
    : proofOfProvider(provider, parsed(ProviderProof, body));
}

function parsed<Shape extends z.ZodType>(shape: Shape, body: unknown): z.output<Shape> {
  const result = shape.safeParse(body, { error: errorMap });
  if (!result.success) throw new RequestValidationError(null, null, null, result.error);
  return result.data;
}
