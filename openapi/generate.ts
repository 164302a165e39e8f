// Writes the OpenAPI documents beside this file: `npm run generate -w @foyer/openapi`.
import { writeFileSync } from 'node:fs';
import { documentOf, textOf } from './generator/document.js';
import { v1 } from './generator/v1.js';
import { v2 } from './generator/v2.js';

const sources = { 'v1.json': v1, 'v2.json': v2 };

for (const [file, source] of Object.entries(sources)) {
  writeFileSync(new URL(file, import.meta.url), textOf(documentOf(source)));
}
