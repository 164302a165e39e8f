// HTTP of the key set and of each app's discovery document.
import { contract } from '@foyer/contract';
import { initServer } from '@ts-rest/express';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { issuerOf } from '../model/app.js';
import { serializeKey } from './present-key.js';

const cacheSeconds = 300;
/** May be a second old: a removed key is rejected after five minutes anyway. */
const keySetSeconds = cacheSeconds - 1;

export function tokenRoutes(deps: Deps) {
  return initServer().router(contract.tokens, {
    keySet: async ({ res }) => {
      // Without a database the known keys stay published: their tokens remain valid.
      await deps.signingKeys
        .reload('to-publish')
        .catch((error) => deps.logger.error({ err: error }, 'the signing keys could not be read again'));
      res.setHeader('Cache-Control', `public, max-age=${keySetSeconds}`);
      return { status: 200, body: { keys: deps.signingKeys.published().map(serializeKey) } };
    },
    discovery: async ({ params, res }) => {
      const app = await deps.apps.byId(params.app_id);
      if (!app) throw new ApiError('request/not-found');
      const issuer = issuerOf(deps.config.baseUrl, app.id);
      const api = `${deps.config.baseUrl}/api/v2`;
      res.setHeader('Cache-Control', `public, max-age=${cacheSeconds}`);
      return {
        status: 200,
        body: {
          issuer,
          jwks_uri: `${api}/.well-known/jwks.json`,
          token_endpoint: `${api}/auth/token/refresh`,
          id_token_signing_alg_values_supported: [app.tokenAlgorithm],
          response_types_supported: ['token'],
          subject_types_supported: ['public'],
        },
      };
    },
  });
}
