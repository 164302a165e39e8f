// The committed v2 document, for tests.
import { readFileSync } from 'node:fs';
import { contract } from '@foyer/contract';
import { operationsOf } from './generator/routes.js';

export type Json = Record<string, unknown>;
export type Answer = {
  $ref?: string;
  description: string;
  headers: Json;
  content?: Record<
    string,
    { schema: Json; example?: unknown; examples?: Record<string, { value: unknown }> }
  >;
};
export type Operation = {
  operationId: string;
  'x-operation': string;
  tags: string[];
  summary: string;
  description: string;
  security: Json[];
  parameters?: { name: string; in: string; required: boolean }[];
  requestBody?: { required: boolean; content: Record<string, { schema: Json; example: unknown }> };
  responses: Record<string, Answer>;
  'x-codeSamples': { lang: string; label: string; source: string }[];
  'x-rate-limit'?: { policy: string; limit: number; window_seconds: number }[];
};

export const committed = readFileSync(new URL('v2.json', import.meta.url), 'utf8');
export const document = JSON.parse(committed) as {
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, Record<string, Operation>>;
  info: { description: string };
  tags: { name: string; description: string }[];
  'x-tagGroups': { name: string; tags: string[] }[];
  components: { responses: Record<string, Answer>; schemas: Record<string, Json> };
};
export const operations = operationsOf(contract);

export function documented(route: { path: string; method: string }): Operation {
  const path = route.path.replace(/:(\w+)/g, '{$1}');
  const operation = document.paths[path]?.[route.method.toLowerCase()];
  if (!operation) throw new Error(`${route.method} ${path} is not in the document`);
  return operation;
}

export function answerOf(operation: Operation, status: string): Answer {
  const answer = operation.responses[status];
  if (!answer) throw new Error(`${operation.operationId} has no answer ${status}`);
  const shared = answer.$ref?.replace('#/components/responses/', '');
  return shared === undefined ? answer : (document.components.responses[shared] as Answer);
}
