// A contract as an OpenAPI 3.1 document: the same contract always gives the same document, byte for byte.
import { OpenAPIRegistry, OpenApiGeneratorV31 } from '@asteasolutions/zod-to-openapi';
import { credentialsOf, metadataOf } from '@foyer/contract';
import type { z } from 'zod';
import { addCodeSamples } from './code-samples.js';
import type { ErrorAnswers } from './error-answers.js';
import { addExamples, type Document } from './examples.js';
import { type AnswerHeader, answerHeaders } from './headers.js';
import { loosen } from './loosen.js';
import { addNumberFormats } from './number-formats.js';
import { operationConfig } from './operation.js';
import { type Groups, operationsOf } from './routes.js';
import { webhookConfig } from './webhook.js';

/** What a document is made from: the routes of one version of the API, and the words that the contract does not hold. */
export type DocumentSource = {
  title: string;
  version: string;
  introduction: string;
  baseUrl: { default: string; description: string };
  groups: Groups;
  groupTexts: Record<string, { title: string; description: string }>;
  /** Whether the SDK speaks this version. */
  sdk?: boolean;
  /** Headings for the tags, each of which is under exactly one. */
  tagGroups?: { name: string; tags: string[] }[];
  errorEnvelope: z.ZodType;
  errors: ErrorAnswers;
  /** What a user's bearer token is. */
  userToken: { bearerFormat?: string; description: string };
  /** Headers of every answer. */
  headers: AnswerHeader[];
  /** What the service itself sends. */
  webhook?: { name: string; tag: string; summary: string; description: string; payload: z.ZodType };
};

export function documentOf(source: DocumentSource): Document {
  const operations = operationsOf(source.groups);
  const registry = new OpenAPIRegistry();
  registry.registerComponent('securitySchemes', 'appKey', {
    type: 'apiKey',
    in: 'header',
    name: 'X-App-Key',
    description: 'The key of the app; it says which app calls, and is no secret.',
  });
  registry.registerComponent('securitySchemes', 'accessToken', {
    type: 'http',
    scheme: 'bearer',
    ...source.userToken,
  });
  if (operations.some(({ route }) => credentialsOf(metadataOf(route).auth).secretKey)) {
    registry.registerComponent('securitySchemes', 'secretKey', {
      type: 'http',
      scheme: 'bearer',
      description:
        "A secret key of the app's own backend: `Authorization: Bearer sk_…`. It is refused when the request has an `Origin`.",
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
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '{base_url}', variables: { base_url: source.baseUrl } }],
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

function tagOf(name: string, { groupTexts }: DocumentSource) {
  const text = groupTexts[name];
  if (!text) throw new Error(`the group ${name} of the contract has no words for the document`);
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
export function textOf(document: Document): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}
