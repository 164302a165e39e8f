// A contract as an OpenAPI 3.1 document. The document is deterministic: the same contract gives the same bytes.
import { OpenAPIRegistry, OpenApiGeneratorV31 } from '@asteasolutions/zod-to-openapi';
import { credentialsOf, metadataOf } from '@foyer/contract';
import { addCodeSamples } from './code-samples.js';
import { addExamples, type Document } from './examples.js';
import { answerHeaders } from './headers.js';
import { loosen } from './loosen.js';
import { addNumberFormats } from './number-formats.js';
import { operationConfig } from './operation.js';
import { operationsOf } from './routes.js';
import type { DocumentSource } from './source.js';
import { webhookConfig } from './webhook.js';

export function documentOf(source: DocumentSource): Document {
  const operations = operationsOf(source.groups);
  const registry = new OpenAPIRegistry();
  registry.registerComponent('securitySchemes', 'appKey', {
    type: 'apiKey',
    in: 'header',
    name: 'X-App-Key',
    description: 'The key of the app; it identifies the app and is not a secret.',
  });
  registry.registerComponent('securitySchemes', 'accessToken', {
    type: 'http',
    scheme: 'bearer',
    ...source.userToken,
  });
  if (operations.some(({ route }) => credentialsOf(metadataOf(route).auth).secretKey)) {
    registry.registerComponent('securitySchemes', 'secretKeyAuth', {
      type: 'http',
      scheme: 'bearer',
      description:
        "A secret key of the app's own backend: `Authorization: Bearer sk_…`. It is rejected if the request has " +
        'an `Origin`.',
    });
  }
  if (operations.some(({ route }) => credentialsOf(metadataOf(route).auth).member)) {
    registry.registerComponent('securitySchemes', 'memberToken', {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description:
        'The access token of a team member, who signed in with the app key of the dashboard (the reserved app ' +
        '`console`): `Authorization: Bearer <ACCESS_TOKEN>`, with the app key of the app that the call acts on. The ' +
        "member's role in that app takes the place of the scopes of a secret key.",
    });
  }
  for (const [name, header] of Object.entries(answerHeaders)) {
    registry.registerComponent('headers', name, header);
  }
  for (const [name, answer] of Object.entries(source.errors.shared(operations))) {
    registry.registerComponent('responses', name, answer);
  }
  for (const operation of operations) registry.registerPath(operationConfig(operation, source));
  if (source.webhook) registry.registerWebhook(webhookConfig(source.webhook));

  const generator = new OpenApiGeneratorV31(
    [{ type: 'schema', schema: source.errorEnvelope }, ...registry.definitions],
    {
      sortComponents: 'alphabetically',
    },
  );
  const { paths, webhooks, components } = generator.generateDocument({
    openapi: '3.1.0',
    info: { title: source.title, version: source.version },
  });
  const document: Document = {
    openapi: '3.1.0',
    info: {
      title: source.title,
      version: source.version,
      description: source.introduction,
      contact: { name: 'The team that runs this service' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [serverOf(source)],
    tags: Object.keys(source.groups).map((name) => tagOf(name, source)),
    ...(source.tagGroups && { 'x-tagGroups': source.tagGroups }),
    paths: paths ?? {},
    ...(source.webhook && webhooks && { webhooks }),
    components: withoutEmptyParts({
      ...components,
      headers: usedHeaders(components?.headers ?? {}, paths, components?.responses, webhooks),
    }),
  };
  loosen(document);
  addNumberFormats(document);
  addExamples(document);
  addCodeSamples(document, { withSdk: source.sdk === true });
  return document;
}

// The description is not on the variable: the schema of OpenAPI 3.1 in widespread validators does not know it there.
function serverOf({ baseUrl }: DocumentSource) {
  const { description, default: url } = baseUrl;
  return { url: '{base_url}', description, variables: { base_url: { default: url } } };
}

function tagOf(name: string, { groupTexts }: DocumentSource) {
  const text = groupTexts[name];
  if (!text)
    throw new Error(`the group ${name} of the contract has no title and description in the document`);
  return { name, description: text.description, 'x-displayName': text.title };
}

function usedHeaders(headers: object, ...users: unknown[]) {
  const text = JSON.stringify(users);
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => text.includes(`"#/components/headers/${name}"`)),
  );
}

function withoutEmptyParts<T extends object>(components: T): T {
  const parts = Object.entries(components).filter(([, part]) => Object.keys(part).length > 0);
  return Object.fromEntries(parts) as T;
}

/** The text of the file: formatted, with a newline at the end. */
export function textOf(document: object): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}
