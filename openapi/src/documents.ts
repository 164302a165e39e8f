// The committed documents. They stand beside `src` and `dist` alike.
import { readFileSync } from 'node:fs';

export type OpenApiDocument = {
  openapi: string;
  info: { title: string; version: string; description?: string };
  servers: { url: string; description?: string; variables?: Record<string, { default: string }> }[];
  paths: Record<string, Record<string, unknown>>;
  [key: string]: unknown;
};

/** The whole documents, and those of v2 that clients are generated from. */
export type DocumentName = 'v1' | 'v2' | 'v2.client' | 'v2.client-3.0' | 'v2.webhooks';

/** Parsed on each call, because the document of v2 takes some ten megabytes as an object. */
export function readDocument(name: DocumentName): OpenApiDocument {
  return JSON.parse(readFileSync(new URL(`../${name}.json`, import.meta.url), 'utf8')) as OpenApiDocument;
}

/**
 * The document as one deployment serves it: `baseUrl` (with the version in it) is its only server, and stands in texts,
 * code samples and examples in the place of `{base_url}` and of the address of the examples.
 */
export function documentAt(document: OpenApiDocument, baseUrl: string): OpenApiDocument {
  const version = document.info.version.split('.')[0];
  const own = JSON.stringify(baseUrl).slice(1, -1);
  const texts = JSON.stringify(document)
    .replaceAll('{base_url}', () => own)
    .replaceAll(`https://accounts.example.com/api/v${version}`, () => own);
  return { ...(JSON.parse(texts) as OpenApiDocument), servers: [{ url: baseUrl }] };
}

/** The workflows, which name the document that the deployment at `baseUrl` serves. */
export function workflowsAt(baseUrl: string): object {
  const text = readFileSync(new URL('../v2.arazzo.json', import.meta.url), 'utf8');
  const workflows = JSON.parse(text) as { sourceDescriptions: { name: string; type: string }[] };
  const [source] = workflows.sourceDescriptions;
  return { ...workflows, sourceDescriptions: [{ ...source, url: `${baseUrl}/openapi.json` }] };
}
