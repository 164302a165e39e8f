// A contract as an OpenAPI 3.1 document: the same contract always gives the same document, byte for byte.
import { OpenAPIRegistry, OpenApiGeneratorV31 } from '@asteasolutions/zod-to-openapi';
import type { z } from 'zod';
import { sharedErrorAnswers } from './error-answers.js';
import { addExamples, type Document } from './examples.js';
import { answerHeaders } from './headers.js';
import { loosen } from './loosen.js';
import { operationConfig } from './operation.js';
import { type Groups, operationsOf } from './routes.js';

/** What a document is made from: the routes of one version of the API, and the words that the contract does not hold. */
export type DocumentSource = {
  title: string;
  version: string;
  introduction: string;
  baseUrl: { default: string; description: string };
  groups: Groups;
  groupTexts: Record<string, { title: string; description: string }>;
  errorEnvelope: z.ZodType;
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
    bearerFormat: 'JWT',
    description: 'The access token of a signed-in user: `Authorization: Bearer <ACCESS_TOKEN>`.',
  });
  registry.registerComponent('securitySchemes', 'secretKey', {
    type: 'http',
    scheme: 'bearer',
    description:
      "A secret key of the app's own backend: `Authorization: Bearer sk_…`. It is refused when the request has an `Origin`.",
  });
  for (const [name, header] of Object.entries(answerHeaders)) {
    registry.registerComponent('headers', name, header);
  }
  for (const [name, answer] of Object.entries(sharedErrorAnswers(operations))) {
    registry.registerComponent('responses', name, answer);
  }
  for (const operation of operations) registry.registerPath(operationConfig(operation));

  const generator = new OpenApiGeneratorV31(
    [{ type: 'schema', schema: source.errorEnvelope }, ...registry.definitions],
    {
      sortComponents: 'alphabetically',
    },
  );
  const { paths, components } = generator.generateDocument({
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
    paths: paths ?? {},
    components: withoutEmptyParts(components ?? {}),
  };
  loosen(document);
  addExamples(document);
  return document;
}

function tagOf(name: string, { groupTexts }: DocumentSource) {
  const text = groupTexts[name];
  if (!text) throw new Error(`the group ${name} of the contract has no words for the document`);
  return { name, description: text.description, 'x-displayName': text.title };
}

function withoutEmptyParts<T extends object>(components: T): T {
  const parts = Object.entries(components).filter(([, part]) => Object.keys(part).length > 0);
  return Object.fromEntries(parts) as T;
}

/** The text of the file: formatted, with a newline at the end. */
export function textOf(document: Document): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}
