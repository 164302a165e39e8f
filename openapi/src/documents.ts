// The committed documents as objects. They stand beside `src` and `dist` alike.
import { readFileSync } from 'node:fs';

export type OpenApiDocument = {
  openapi: string;
  info: { title: string; version: string; description?: string };
  servers: { url: string; variables: { base_url: { default: string; description: string } } }[];
  paths: Record<string, Record<string, unknown>>;
  [key: string]: unknown;
};

export const documents: Record<'v1' | 'v2', OpenApiDocument> = {
  v1: read('v1.json'),
  v2: read('v2.json'),
};

/** The document as one deployment serves it: `baseUrl` (with the version in it) becomes the address readers see. */
export function documentAt(document: OpenApiDocument, baseUrl: string): OpenApiDocument {
  const servers = document.servers.map((server) => ({
    ...server,
    variables: { base_url: { ...server.variables.base_url, default: baseUrl } },
  }));
  return { ...document, servers };
}

function read(file: string): OpenApiDocument {
  return JSON.parse(readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')) as OpenApiDocument;
}
