// One route of the contract as an OpenAPI operation.
import type { ResponseConfig, RouteConfig } from '@asteasolutions/zod-to-openapi';
import { type EndpointAuth, metadataOf } from '@foyer/contract';
import type { z } from 'zod';
import { errorAnswers } from './error-answers.js';
import { type AnswerHeader, headerReferences, sessionRequestHeaders } from './headers.js';
import { rateLimitExtension, rateLimitSentence } from './rate-limits.js';
import {
  bodyOf,
  dataOf,
  type Operation,
  parametersOf,
  type Route,
  startsSession,
  successesOf,
} from './routes.js';

const securityOf: Record<EndpointAuth, Record<string, string[]>[]> = {
  public: [],
  'app-key': [{ appKey: [] }],
  'optional-user': [{ appKey: [] }, { appKey: [], accessToken: [] }],
  'signed-in': [{ appKey: [], accessToken: [] }],
  admin: [{ appKey: [], secretKey: [] }],
};

export function operationConfig(operation: Operation): RouteConfig {
  const { id, group, route } = operation;
  const limited = rateLimitExtension(route);
  return {
    method: route.method.toLowerCase() as RouteConfig['method'],
    path: route.path.replace(/:(\w+)/g, '{$1}'),
    operationId: id,
    tags: [group],
    ...(route.summary && { summary: route.summary }),
    description: [route.description, demandSentence(route), rateLimitSentence(route)]
      .filter(Boolean)
      .join('\n\n'),
    ...(route.deprecated && { deprecated: true }),
    security: securityOf[metadataOf(route).auth],
    request: requestOf(route),
    responses: { ...successAnswers(route), ...errorAnswers(route) },
    ...(limited.length > 0 && { 'x-rate-limit': limited }),
  };
}

function demandSentence(route: Route): string {
  const { recentSignIn, scope } = metadataOf(route);
  if (recentSignIn) {
    return 'Needs a sign-in of the last minutes (five, unless the app sets another number); see `signIn.reauthenticate`.';
  }
  return scope ? `Needs a secret key with the scope \`${scope}\`.` : '';
}

function requestOf(route: Route): NonNullable<RouteConfig['request']> {
  const body = bodyOf(route);
  const params = parametersOf(route.pathParams);
  const query = parametersOf(route.query);
  return {
    ...(params && { params }),
    ...(query && { query }),
    ...(startsSession(route) && { headers: sessionRequestHeaders }),
    ...(body && { body: { required: true, content: { 'application/json': { schema: body } } } }),
  };
}

function successAnswers(route: Route): Record<string, ResponseConfig> {
  const headers: AnswerHeader[] = ['X-Request-Id'];
  if (metadataOf(route).rateLimit === 'none') headers.push('Cache-Control');
  else headers.push('RateLimit', 'RateLimit-Policy');
  return Object.fromEntries(
    successesOf(route).map(([status, schema]) => [
      status,
      {
        description: successDescription(schema),
        headers: headerReferences(...headers),
        ...(schema && { content: { 'application/json': { schema } } }),
      },
    ]),
  );
}

function successDescription(schema: z.ZodType | undefined): string {
  if (!schema) return 'Done; the answer has no body.';
  return dataOf(schema)?.meta()?.description ?? 'The answer.';
}
