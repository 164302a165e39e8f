// Writes `src/generated/` from the contract: `npm run generate -w @foyer/sdk`.
import { mkdirSync, writeFileSync } from 'node:fs';
import { generatedFiles } from './generator/files.js';

const folder = new URL('src/generated/', import.meta.url);

mkdirSync(folder, { recursive: true });
for (const [file, text] of generatedFiles()) writeFileSync(new URL(file, folder), text);
