// A Postman collection of v2.json. Importers of OpenAPI keep one of two credentials; here every request has the app key and,
// where it takes one, a token, both from variables. A script keeps the tokens of each answer that has some.
import type { ClientDocument, Operation } from './client/schema.js';

const keepTokens = [
  'const { data } = pm.response.json();',
  "for (const name of ['access_token', 'refresh_token']) if (data?.[name]) pm.collectionVariables.set(name, data[name]);",
];

export function postmanCollectionOf(document: ClientDocument): object {
  const tags = document.tags as { name: string; 'x-displayName': string; description: string }[];
  const requests = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      tag: (operation.tags as string[])[0],
      item: itemOf(path, method, operation),
    })),
  );
  return {
    info: {
      name: document.info.title,
      description:
        'Set `base_url`, `app_key` and, for `/admin`, `secret_key`. Signing up or in keeps the tokens.',
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
      version: document.info.version,
    },
    variable: ['base_url', 'app_key', 'secret_key', 'access_token', 'refresh_token'].map((key) => ({
      key,
      value: key === 'base_url' ? 'http://localhost:3000/api/v2' : '',
    })),
    item: tags.map(({ name, description, 'x-displayName': title }) => ({
      name: title,
      description,
      item: requests.filter(({ tag }) => tag === name).map(({ item }) => item),
    })),
  };
}

function itemOf(path: string, method: string, operation: Operation): object {
  const { summary, description, parameters = [], requestBody, responses } = operation;
  const token = tokenOf(operation);
  const query = parameters.filter((each) => each.in === 'query');
  const headers = parameters.filter((each) => each.in === 'header' && each.name !== 'Idempotency-Key');
  const raw = `{{base_url}}${path.replace(/\{(\w+)\}/g, ':$1')}`;
  const answersTokens = JSON.stringify(Object.values(responses)[0] ?? {}).includes('"access_token"');
  return {
    name: summary,
    ...(answersTokens && {
      event: [{ listen: 'test', script: { type: 'text/javascript', exec: keepTokens } }],
    }),
    request: {
      method: method.toUpperCase(),
      description,
      auth: token
        ? { type: 'bearer', bearer: [{ key: 'token', value: `{{${token}}}`, type: 'string' }] }
        : { type: 'noauth' },
      header: [
        ...(hasAppKey(operation) ? [{ key: 'X-App-Key', value: '{{app_key}}' }] : []),
        ...headers.map((each) => ({
          key: each.name,
          value: String(each.example ?? ''),
          disabled: !each.required,
        })),
      ],
      url: {
        raw,
        host: ['{{base_url}}'],
        path: path
          .slice(1)
          .replace(/\{(\w+)\}/g, ':$1')
          .split('/'),
        variable: parameters
          .filter((each) => each.in === 'path')
          .map((each) => ({ key: each.name, value: String(each.example ?? '') })),
        query: query.map((each) => ({ key: each.name, value: String(each.example ?? ''), disabled: true })),
      },
      ...bodyOf(requestBody?.content),
    },
  };
}

function bodyOf(content: NonNullable<Operation['requestBody']>['content'] = {}): object {
  const [[type, media] = []] = Object.entries(content);
  if (type === undefined) return {};
  if (type === 'multipart/form-data') {
    return { body: { mode: 'formdata', formdata: [{ key: 'file', type: 'file', src: [] }] } };
  }
  const example = media?.example as Record<string, unknown>;
  if (type === 'application/x-www-form-urlencoded') {
    const urlencoded = Object.entries(example).map(([key, value]) => ({ key, value: String(value) }));
    return { body: { mode: 'urlencoded', urlencoded } };
  }
  const body = 'refresh_token' in example ? { ...example, refresh_token: '{{refresh_token}}' } : example;
  return {
    body: { mode: 'raw', raw: JSON.stringify(body, null, 2), options: { raw: { language: 'json' } } },
  };
}

function securityOf({ security = [] }: Operation): string[] {
  return (security as Record<string, unknown>[]).flatMap((each) => Object.keys(each));
}

function hasAppKey(operation: Operation): boolean {
  return securityOf(operation).includes('appKey');
}

/** A user's token where users may call, otherwise a secret key; a team member signs in as a user does. */
function tokenOf(operation: Operation): string | undefined {
  const names = securityOf(operation);
  if (names.includes('accessToken')) return 'access_token';
  if (names.includes('secretKeyAuth')) return 'secret_key';
  return names.includes('memberToken') ? 'access_token' : undefined;
}
