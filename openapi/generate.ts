// Writes the OpenAPI documents beside this file: `npm run generate -w @foyer/openapi`.
import { writeFileSync } from 'node:fs';
import { documents } from './generator/documents.js';

for (const [file, text] of Object.entries(documents())) {
  writeFileSync(new URL(file, import.meta.url), text);
}
