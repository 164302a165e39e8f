// Part of the build: puts the scripts that the pages load into `dist`: the viewer's, and that of the panel "Try it".
import { copyFileSync, mkdirSync } from 'node:fs';
import { basename } from 'node:path';
import { viewerSources } from './src/viewer.js';

const directory = new URL('./dist/viewer/', import.meta.url);
mkdirSync(directory, { recursive: true });
for (const source of viewerSources()) copyFileSync(source, new URL(basename(source), directory));
copyFileSync(new URL('./src/try-it.js', import.meta.url), new URL('./dist/try-it.js', import.meta.url));
