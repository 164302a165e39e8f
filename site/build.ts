// Builds dist/: every file at the path where the service serves it; a page is `<path>.html`. The texts name the service as
// `http://localhost:3000`, in the place of which the service puts its own origin.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildAccountPage } from './account-page.js';
import { guidePage, stylePath } from './guide-page.js';
import { guides } from './guides.js';
import { linkedMarkdown } from './links.js';
import { llmsText, operationsPath } from './llms.js';

const origin = 'http://localhost:3000';
const root = fileURLToPath(new URL('..', import.meta.url));
const folder = fileURLToPath(new URL('dist', import.meta.url));

rmSync(folder, { recursive: true, force: true });
const packages = join(folder, 'sdk');
mkdirSync(packages, { recursive: true });
for (const packer of ['sdk/pack.mjs', 'elements/pack.mjs'])
  execFileSync('node', [join(root, packer), packages], { stdio: ['ignore', 'ignore', 'inherit'] });

write(stylePath, readFileSync(new URL('guides.css', import.meta.url), 'utf8'));
for (const guide of guides) {
  write(`${guide.path}.html`, guidePage(guide));
  write(`${guide.path}.md`, linkedMarkdown(guide, guides, origin));
}
const { version } = JSON.parse(readFileSync(join(root, 'sdk/package.json'), 'utf8')) as { version: string };
const packageOf = (name: string) => `/sdk/foyer-${name}-${version}.tgz`;
write('/llms.txt', llmsText(origin, { sdk: packageOf('sdk'), elements: packageOf('elements') }));
copyFileSync(join(root, 'openapi/v2.md'), join(folder, operationsPath));
write('/account/index.html', await buildAccountPage(join(folder, 'account')));

function write(path: string, text: string): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
