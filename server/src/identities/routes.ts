// HTTP of the user's identities.
import { contract, errorMap, ProviderAProof, ProviderBProof } from '@foyer/contract';
import { initServer, RequestValidationError } from '@ts-rest/express';
import type { Deps, ProviderName } from '../deps.js';
import { callerOf, languageOf, userIdsOf } from '../http/caller.js';
import { created, noContent, ok } from '../http/data-answer.js';
import { ApiError } from '../lib/api-error.js';
import { linkIdentity } from './link-identity.js';
import { listIdentities } from './list-identities.js';
import { proofOf } from './proof.js';
import { isProvider } from './provider.js';
import { unlinkIdentity } from './remove-identities.js';

export function identityRoutes(deps: Deps) {
  return initServer().router(contract.identities, {
    list: async ({ req, query }) => ok(await listIdentities(deps, userIdsOf(req), query)),
    link: async ({ req, params }) => {
      const { app, ipAddress } = callerOf(req);
      const proof = proofOf(bodyFor(providerNamed(params.provider), req.body));
      const linker = { ipAddress, language: languageOf(req) };
      const identity = await linkIdentity(deps, app, userIdsOf(req), proof, linker);
      return created(identity);
    },
    unlink: async ({ req, params }) => {
      const provider = providerNamed(params.provider);
      const { app, ipAddress } = callerOf(req);
      await unlinkIdentity(deps, app, userIdsOf(req), provider, { ipAddress, language: languageOf(req) });
      return noContent;
    },
  });
}

function providerNamed(name: string): ProviderName {
  if (!isProvider(name)) throw new ApiError('auth/no-such-provider');
  return name;
}

/** The contract accepts the body of either provider; it must be that of the provider in the path. */
function bodyFor(provider: ProviderName, body: unknown) {
  const shape = provider === 'provider-a' ? ProviderAProof : ProviderBProof;
  const result = shape.safeParse(body, { error: errorMap });
  if (!result.success) throw new RequestValidationError(null, null, null, result.error);
  return result.data;
}
