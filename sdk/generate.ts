// Writes what the SDK generates from the contract: `npm run generate -w @foyer/sdk`.
import { mkdirSync, writeFileSync } from 'node:fs';
import { generatedFiles } from './generator/files.js';

const workspace = new URL('./', import.meta.url);

mkdirSync(new URL('src/generated/', workspace), { recursive: true });
for (const [file, text] of generatedFiles()) writeFileSync(new URL(file, workspace), text);
