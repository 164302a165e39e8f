// The OpenAPI documents of Foyer, and a page that shows one of them without asking any other host.
export type { DocsFile } from './docs-site.js';
export { docsSite } from './docs-site.js';
export type { DocumentName, OpenApiDocument } from './documents.js';
export { documentAt, readDocument, workflowsAt } from './documents.js';
