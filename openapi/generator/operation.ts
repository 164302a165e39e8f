// One route of the contract as an OpenAPI operation.
import type { ResponseConfig, RouteConfig } from '@asteasolutions/zod-to-openapi';
import { credentialsOf, type EndpointAuth, leastRoles, metadataOf, roles, rolesOf } from '@foyer/contract';
import * as z from 'zod';
import {
  type AnswerHeader,
  headerReferences,
  idempotencyRequestHeaders,
  mailRequestHeaders,
  proofRequestHeaders,
  sessionRequestHeaders,
} from './headers.js';
import { rateLimitExtension, rateLimitSentence } from './rate-limits.js';
import {
  answerTypesOf,
  bodyOf,
  bodyTypeOf,
  dataOf,
  headersOf,
  isBytes,
  type Operation,
  operationIdOf,
  parametersOf,
  type Route,
  startsSession,
  successesOf,
} from './routes.js';
import type { DocumentSource } from './source.js';

export function operationConfig(operation: Operation, source: DocumentSource): RouteConfig {
  const { id, group, route } = operation;
  const limited = rateLimitExtension(route);
  return {
    method: route.method.toLowerCase() as RouteConfig['method'],
    path: route.path.replace(/:(\w+)/g, '{$1}'),
    operationId: operationIdOf(id),
    'x-operation': id,
    tags: [group],
    ...(route.summary && { summary: route.summary }),
    description: [
      route.description,
      requireSentence(route),
      auditSentence(route),
      rateLimitSentence(route),
      source.errors.coded && codesSentence(route),
    ]
      .filter(Boolean)
      .join('\n\n'),
    ...((route.deprecated || source.deprecated) && { deprecated: true }),
    security: securityOf(metadataOf(route).auth),
    request: requestOf(route),
    responses: { ...successAnswers(route, source.headers), ...source.errors.of(route) },
    ...(limited.length > 0 && { 'x-rate-limit': limited }),
  };
}

function securityOf(auth: EndpointAuth): Record<string, string[]>[] {
  if (auth === 'public') return [];
  const { user, secretKey, member, demanded } = credentialsOf(auth);
  return [
    ...(demanded ? [] : [{ appKey: [] }]),
    ...(user ? [{ appKey: [], accessToken: [] }] : []),
    ...(secretKey ? [{ appKey: [], secretKeyAuth: [] }] : []),
    ...(member ? [{ appKey: [], memberToken: [] }] : []),
  ];
}

function requireSentence(route: Route): string {
  const sentences = [credentialSentence(route)];
  const { recentSignIn, auth } = metadataOf(route);
  if (recentSignIn && auth === 'admin') {
    sentences.push('A team member needs a sign-in within the last five minutes, a secret key does not.');
  } else if (recentSignIn) {
    sentences.push(
      'Requires a sign-in within the last five minutes, or the number of minutes set by the app; see ' +
        '`POST /auth/reauthenticate`.',
    );
  }
  return sentences.filter(Boolean).join(' ');
}

function credentialSentence(route: Route): string {
  const { auth, scope, orScope, alsoScope, role } = metadataOf(route);
  const least = leastRoles(rolesOf(metadataOf(route)) ?? roles)
    .map((name) => `\`${name}\``)
    .join(' or ');
  if (auth === 'member') return `Requires a team member with the role ${least}.`;
  if (auth === 'console') {
    return role === null
      ? 'Requires a team account, with the app key of the dashboard.'
      : `Requires a team member with the role \`${role}\` in the app${named(route)}, with the app key of the dashboard.`;
  }
  if (!scope) return '';
  const scopes = [
    `the scope \`${scope}\``,
    orScope && ` or \`${orScope}\``,
    alsoScope && ` and the scope \`${alsoScope}\``,
  ];
  return auth === 'admin'
    ? `Requires a secret key with ${scopes.filter(Boolean).join('')}, or a team member with the role ${least}.`
    : `A secret key in place of the access token requires the scope \`${scope}\`, and a team member the role ${least}.`;
}

/** The app in which the role is needed, if the path names none. */
function named(route: Route): string {
  return route.path.includes('/:app_id') ? '' : ' `console`';
}

/** Viewers search descriptions, and not the answers in which each code is explained. */
function codesSentence(route: Route): string {
  const { errors } = metadataOf(route);
  return errors.length === 0
    ? ''
    : `Error codes of its own: ${errors.map((code) => `\`${code}\``).join(', ')}.`;
}

function auditSentence(route: Route): string {
  const { auth, audit } = metadataOf(route);
  if (!audit) return '';
  const ofBackends = auth.endsWith('-or-admin') ? ' if called with a secret key or by a team member' : '';
  return `Recorded in the audit log as \`${audit}\`${ofBackends}.`;
}

function requestOf(route: Route): NonNullable<RouteConfig['request']> {
  const body = bodyOf(route);
  const params = parametersOf(route.pathParams);
  const query = parametersOf(route.query);
  const headers = {
    ...(startsSession(route) && sessionRequestHeaders.shape),
    ...(metadataOf(route).rateLimit === 'code-send' && mailRequestHeaders.shape),
    ...headersOf(route)?.shape,
    ...requiredHeadersOf(route),
    ...proofHeadersOf(route),
    ...(metadataOf(route).idempotencyKey && idempotencyRequestHeaders.shape),
  };
  return {
    ...(params && { params }),
    ...(query && { query }),
    ...(Object.keys(headers).length > 0 && { headers: z.object(headers) }),
    ...(body && { body: { required: true, content: { [bodyTypeOf(route)]: { schema: body } } } }),
  };
}

/** Optional in the contract, so that the service returns 428 instead of 422 without it. */
function requiredHeadersOf(route: Route): Record<string, z.ZodType> {
  const ifMatch = headersOf(route)?.shape['If-Match'];
  if (!metadataOf(route).errors.includes('request/precondition-required')) return {};
  if (!(ifMatch instanceof z.ZodOptional)) throw new Error(`${route.path} has no optional If-Match`);
  return { 'If-Match': (ifMatch.unwrap() as z.ZodType).meta(ifMatch.meta() ?? {}) };
}

function proofHeadersOf(route: Route): Record<string, z.ZodType> {
  const names = metadataOf(route).readsHeaders ?? [];
  return Object.fromEntries(names.map((name) => [name, proofRequestHeaders[name]]));
}

function successAnswers(route: Route, always: AnswerHeader[]): Record<string, ResponseConfig> {
  const headers = [...always];
  if (metadataOf(route).rateLimit === 'none') headers.push('Cache-Control');
  else headers.push('RateLimit', 'RateLimit-Policy');
  headers.push(...(metadataOf(route).answersHeaders ?? []));
  if (metadataOf(route).idempotencyKey) headers.push('Idempotent-Replayed');
  const tagged = metadataOf(route).etag === true;
  return Object.fromEntries(
    successesOf(route).map(([status, schema]) => [
      status,
      {
        description: `${outcome(status, route)}${successDescription(status, schema)}`,
        headers: headerReferences(...headers, ...headersOfStatus(status, schema, tagged)),
        ...(schema && {
          content: Object.fromEntries(answerTypesOf(schema).map((type) => [type, { schema }])),
        }),
      },
    ]),
  );
}

function headersOfStatus(status: string, schema: z.ZodType | undefined, tagged: boolean): AnswerHeader[] {
  if (status === '302' || status === '303') return ['Location'];
  return [
    ...(tagged ? (['ETag'] as const) : []),
    ...(schema && isBytes(schema) ? (['Content-Disposition', 'Accept-Ranges'] as const) : []),
    ...(status === '206' ? (['Content-Range'] as const) : []),
  ];
}

/** Tells the two successes of a call apart that may create what it returns. */
function outcome(status: string, { responses }: Route): string {
  if (!('200' in responses && '201' in responses)) return '';
  return { '200': 'Existed already. ', '201': 'Created. ' }[status] ?? '';
}

function successDescription(status: string, schema: z.ZodType | undefined): string {
  if (status === '302') return 'The bytes are at the URL in `Location`.';
  if (status === '303') return 'The user returns to the app, at the URL in `Location`.';
  if (status === '304') return 'The resource has not changed; the response has no body.';
  if (!schema) return 'Success; the response has no body.';
  return dataOf(schema)?.meta()?.description ?? 'The response.';
}
