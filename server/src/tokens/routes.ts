// HTTP of the key set and of each app's discovery document. Both are the same for every client, and made once.
import { contract, type JsonWebKey } from '@foyer/contract';
import { initServer } from '@ts-rest/express';
import type { JWK } from 'jose';
import { clientIp } from '../../engines/http-guard/index.js';
import type { Deps } from '../deps.js';
import { constantAnswer, sendConstant } from '../http/json-answer.js';
import { unknownIds } from '../http/unknown-ids.js';
import { ApiError } from '../lib/api-error.js';
import { recentValues } from '../lib/recent-values.js';
import { type App, issuerOf } from '../model/app.js';

const cacheSeconds = 300;
/** May be a second old: a removed key is rejected after five minutes anyway. */
const keySetSeconds = cacheSeconds - 1;
const recentDocuments = { milliseconds: 5_000, entries: 1_000 };

export function tokenRoutes(deps: Deps) {
  const documents = recentValues<ReturnType<typeof discoveryOf>>(deps.clock, recentDocuments);
  let published: JWK[] = [];
  let keySet = keySetOf(published);

  const unknown = unknownIds(deps.clock, deps.config.rateLimits);

  async function discovery(appId: string, ip: string | null) {
    const recent = documents.get(appId);
    if (recent) return recent;
    const app = await unknown.find(ip, appId, () => deps.apps.byId(appId));
    if (!app) throw new ApiError('request/not-found');
    const document = discoveryOf(deps.config.baseUrl, app);
    documents.set(appId, document);
    return document;
  }

  return initServer().router(contract.tokens, {
    keySet: async ({ res, headers }) => {
      // Without a database the known keys stay published: their tokens remain valid.
      await deps.signingKeys
        .reload('to-publish')
        .catch((error) => deps.logger.error({ err: error }, 'the signing keys could not be read again'));
      res.setHeader('Cache-Control', `public, max-age=${keySetSeconds}`);
      const keys = deps.signingKeys.published();
      if (keys !== published) {
        published = keys;
        keySet = keySetOf(keys);
      }
      return sendConstant(res, keySet, headers['if-none-match']);
    },
    discovery: async ({ req, params, res, headers }) => {
      const document = await discovery(params.app_id, clientIp(req));
      res.setHeader('Cache-Control', `public, max-age=${cacheSeconds}`);
      return sendConstant(res, document, headers['if-none-match']);
    },
  });
}

function keySetOf(keys: JWK[]) {
  return constantAnswer({ keys: keys.map(serializeKey) });
}

/** The members of the contract only. */
function serializeKey(jwk: JWK): JsonWebKey {
  const { kid, alg } = jwk as { kid: string; alg: 'ES256' | 'RS256' };
  const common = { kid, use: 'sig', alg } as const;
  if (jwk.kty === 'RSA') return { kty: 'RSA', ...common, n: jwk.n, e: jwk.e };
  return { kty: 'EC', ...common, crv: 'P-256', x: jwk.x, y: jwk.y };
}

function discoveryOf(baseUrl: string, app: App) {
  const api = `${baseUrl}/api/v2`;
  return constantAnswer({
    issuer: issuerOf(baseUrl, app.id),
    jwks_uri: `${api}/.well-known/jwks.json`,
    token_endpoint: `${api}/auth/token/refresh`,
    // Both algorithms are listed: tokens that were signed before a change of the setting are valid until they expire.
    id_token_signing_alg_values_supported: ['ES256' as const, 'RS256' as const],
    response_types_supported: ['token'],
    subject_types_supported: ['public'],
  });
}
