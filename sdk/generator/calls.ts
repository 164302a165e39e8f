// The methods of the typed clients: one for each route of the contract that a backend or a team member may call. A new
// route is callable under its names in the contract; those of earlier releases are given here.
import { contract, hasBody, hasForm, hasUrlForm, ImportUser, metadataOf } from '@foyer/contract';
import * as z from 'zod';
import { answer, body, inside, item, query, schemaOf } from './schemas.js';
import type { Schema } from './typescript.js';

type Route = Parameters<typeof metadataOf>[0];

/** How a route appears in the client, where it differs from the contract. */
interface Presentation {
  /** The method, or `namespace.method`. */
  name?: string;
  /** The property of the body that is an argument by itself. */
  argument?: string;
  /** The items of that argument, where the contract accepts any and reports each that is invalid. */
  items?: Schema;
  /** Properties of the query or the body that are options, by the name of the option. */
  options?: Record<string, string>;
  /** An option that is required although the service answers a request without it. */
  required?: string;
  /** Lines of code. */
  example?: string[];
}

/** Groups that have another name in the client, or share one. */
const namespaces: Record<string, string> = {
  allFiles: 'files',
  apps: 'settings',
  audit: 'auditLog',
  configVersions: 'config',
  loyaltyEntries: 'loyalty',
  pushMessages: 'push',
  settingsChecks: 'settings',
  tokenVerification: 'tokens',
  userExport: 'users',
};

/** What a team member calls as a user of the app `console`. */
const ofOwnAccount = [
  'passwords.change',
  'profile.confirmVerification',
  'profile.update',
  'sessions.end',
  'sessions.list',
  'sessions.signOut',
];

/** What the namespaces contain. */
export const namespaceTexts: Record<string, string> = {
  appFiles: 'The app as files, as `foyer pull` writes them.',
  auditLog: 'The audit log.',
  collections: 'The declared collections.',
  config: 'The remote config.',
  events: 'The events that webhooks deliver.',
  files: 'The files of the app and its users.',
  loyalty: 'The points of the users.',
  migration: 'The progress of the migration from v1.',
  push: 'Push messages.',
  settings: "The app's settings.",
  stats: 'The daily statistics of the app.',
  support: 'Helping users to sign in.',
  tokens: 'Access tokens, verified by the service: detects revoked sessions too.',
  users: 'The users of the app.',
  webhooks: 'The webhooks of the app and their deliveries.',
};

const presentations: Record<string, Presentation> = {
  'userExport.getOfUser': { name: 'export' },
  'userExport.requestOfUser': { name: 'requestExport' },
  'apps.getSettings': { name: 'get' },
  'apps.updateSettings': {
    name: 'update',
    example: [
      "await admin.settings.update({ deep_link: 'https://app.example.com/sign-in', mail: { from_name: 'Example' } });",
    ],
  },
  'configVersions.current': { name: 'get' },
  'configVersions.get': { name: 'version' },
  'configVersions.list': { name: 'versions' },
  'configVersions.replace': {
    argument: 'parameters',
    required: 'ifMatch',
    options: { note: 'note' },
    example: [
      'const { etag, parameters } = await admin.config.get();',
      "const banner = { type: 'string' as const, value: 'Points count double today' };",
      'await admin.config.replace({ ...parameters, banner }, { ifMatch: etag });',
    ],
  },
  'configVersions.rollback': { argument: 'version' },
  'files.url': { options: { expiresInSeconds: 'expires_in', download: 'download' } },
  'loyaltyEntries.list': { name: 'entries' },
  'pushMessages.devices': { name: 'users.devices' },
  'pushMessages.get': { name: 'message' },
  'pushMessages.list': { name: 'messages' },
  'pushMessages.send': {
    example: [
      "await admin.push.send({ uids: [uid], notification: { title: 'Your table is ready', body: 'For 15 minutes.' } });",
    ],
  },
  'settingsChecks.checkProvider': { argument: 'provider' },
  'stats.daily': {
    example: ["const { days } = await admin.stats.daily({ from: '2026-01-01', to: '2026-01-31' });"],
  },
  'support.addNote': { argument: 'text' },
  'support.sendCode': { argument: 'purpose' },
  'tokenVerification.verify': {
    argument: 'access_token',
    options: { checkRevoked: 'check_revoked' },
  },
  'users.import': { argument: 'users', items: schemaOf(ImportUser, 'input') },
  'users.list': {
    example: [
      "for await (const user of admin.users.list({ q: 'ada', disabled: false })) console.log(user.email);",
    ],
  },
  'users.setClaims': { argument: 'claims' },
  'webhooks.getDelivery': { name: 'delivery' },
  'webhooks.listDeliveries': { name: 'deliveries' },
  'webhooks.listEvents': { name: 'events.list' },
};

/** An argument, an option or the answer of a method. */
export interface Part {
  name: string;
  schema: Schema;
  isRequired: boolean;
  /** Where it is sent: `params`, `query`, `body`, `body.name`, `query.name` or `headers.name`. */
  place: string;
}

export interface Call {
  namespace: string;
  method: string;
  route: string;
  summary: string;
  description: string | undefined;
  example: string[] | undefined;
  params: Part[];
  input: Part | undefined;
  options: Part[];
  /** Undefined for a call without an answer. */
  answer: Schema | undefined;
  pages: boolean;
  etag: boolean;
  /** The codes with which the operation refuses a call, where the service accepts an idempotency key. */
  once: readonly string[] | undefined;
  /** A POST that changes nothing. */
  safe: boolean;
}

/** The calls of an app's backend. */
export const adminCalls = callsFor((group, { auth }) => auth === 'admin' || group === 'files');

/** The calls that only the dashboard makes, as a team member; the SDK has functions of its own for records. */
export const consoleCalls = callsFor(
  (group, { auth }, key) =>
    auth === 'member' ||
    auth.startsWith('console') ||
    group === 'data' ||
    ofOwnAccount.includes(`${group}.${key}`),
);

function callsFor(
  accepts: (group: string, metadata: ReturnType<typeof metadataOf>, key: string) => boolean,
): Call[] {
  return Object.entries(contract).flatMap(([group, routes]) =>
    Object.entries(routes as Record<string, Route>)
      .filter(
        ([key, route]) => accepts(group, metadataOf(route), key) && !hasForm(route) && !hasUrlForm(route),
      )
      .map(([key, route]) => callOf(group, key, route)),
  );
}

function callOf(group: string, key: string, route: Route): Call {
  const { name = key, example, ...given } = presentations[`${group}.${key}`] ?? {};
  const [method = '', namespace = namespaces[group] ?? group] = name.split('.').reverse();
  const { idempotencyKey, etag, audit, errors } = metadataOf(route);
  const found = hasAnswer(route) ? answer(route) : undefined;
  const pages = route.method === 'GET' && found?.properties?.next_cursor !== undefined;
  return {
    namespace,
    method,
    route: `${route.method} ${route.path}`,
    summary: route.summary ?? '',
    description: route.description,
    example,
    params: [...route.path.matchAll(/:(\w+)/g)].map(([, param = '']) => paramOf(route, param)),
    ...partsOf(route, given),
    answer: pages ? item(route) : found,
    pages,
    etag: etag === true,
    once: idempotencyKey ? errors : undefined,
    safe: route.method === 'POST' && audit === null && !idempotencyKey,
  };
}

function paramOf(route: Route, name: string): Part {
  const schema = inside(schemaOf(route.pathParams, 'input'), name);
  return { name: camelCase(name), schema, isRequired: true, place: 'params' };
}

/** What a call is given besides the parameters of the path. */
function partsOf(
  route: Route,
  { argument, items, options = {}, required }: Presentation,
): Pick<Call, 'input' | 'options'> {
  const bodySchema = 'body' in route && isSchema(route.body) && hasBody(route) ? body(route) : undefined;
  const querySchema = isSchema(route.query) ? query(route) : {};
  // A read is never conditional: the client has no answer of its own.
  const headers = route.method !== 'GET' && isSchema(route.headers) ? schemaOf(route.headers, 'input') : {};
  const named = new Map(Object.entries(options).map(([option, property]) => [property, option]));
  // The query of a read is an argument, that of a change has options of it.
  const isArgument = route.method === 'GET' && named.size === 0;
  const optional = (place: string, { properties = {} }: Schema, isOption: (name: string) => boolean) =>
    Object.entries(properties)
      .filter(([property]) => isOption(property))
      .map(([property, schema]) => {
        const name = named.get(property) ?? camelCase(property);
        return { name, schema, isRequired: name === required, place: `${place}.${property}` };
      });
  return {
    input: isArgument ? queryInput(querySchema) : bodySchema && bodyInput(bodySchema, argument, items),
    options: [
      ...optional('headers', headers, () => true),
      ...optional('body', bodySchema ?? {}, (property) => named.has(property)),
      ...optional('query', isArgument ? {} : querySchema, () => true),
    ],
  };
}

function queryInput(schema: Schema): Part | undefined {
  const { properties = {}, required = [] } = schema;
  if (Object.keys(properties).length === 0) return undefined;
  return { name: 'query', schema, isRequired: required.length > 0, place: 'query' };
}

function bodyInput(schema: Schema, argument?: string, items?: Schema): Part {
  if (!argument) return { name: 'body', schema, isRequired: true, place: 'body' };
  const own = inside(schema, argument);
  const given = items ? { ...own, items } : own;
  return { name: camelCase(argument), schema: given, isRequired: true, place: `body.${argument}` };
}

function hasAnswer(route: Route): boolean {
  return Object.entries(route.responses).some(([status, each]) => Number(status) < 300 && isSchema(each));
}

function isSchema(schema: unknown): schema is z.ZodType {
  return schema instanceof z.ZodType && !(schema instanceof z.ZodUndefined) && !(schema instanceof z.ZodVoid);
}

function camelCase(name: string): string {
  return name.replace(/[_-](\w)/g, (_, letter: string) => letter.toUpperCase());
}
