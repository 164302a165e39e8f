// Part of the build: puts the files of the viewer into `dist`.
import { copyFileSync, mkdirSync } from 'node:fs';
import { basename } from 'node:path';
import { viewerSources } from './src/viewer.js';

const directory = new URL('./dist/viewer/', import.meta.url);
mkdirSync(directory, { recursive: true });
for (const source of viewerSources()) copyFileSync(source, new URL(basename(source), directory));
