// `npm run follow-docs -w @foyer/sdk`: follows pages from empty folders, word for word. The page drives it: its commands run as
// printed, its files are written where it says, `…` in the output that it shows stands for anything, and an app that it starts is
// used in a browser. Arguments name single pages. sdk/test/README.md names the pages that are left out. Needs the builds that
// `npm ci` makes, and npm's registry.
import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium, type Locator, type Page } from 'playwright-core';
import { freePort } from '../../server/test/free-port.js';
import { identityProvider } from '../../server/test/identity-provider.js';
import { executablePath } from './browser-page.js';
import { browserReaders, type Service } from './browser-readers.js';
import { commandLine } from './command-line.js';

const workspace = fileURLToPath(new URL('..', import.meta.url));
const password = 'correct horse battery staple';
const startsServer = /^(npx foyer dev|npx vite|npm run dev)\b/;
const serviceStarted = /invitation#/;

/** What a page promises beyond the output that it shows, and beyond an app that signs in and out. */
const promises: Record<string, (place: Place, tab: Page) => Promise<void>> = {
  async 'docs/react'(_, tab) {
    await tab.getByRole('button', { name: 'Add' }).click();
    await tab.getByText('Groceries').waitFor();
    await tab.reload();
    await tab.getByText('Groceries').waitFor();
  },
  async 'docs/ready-screens'(_, tab) {
    await tab.getByRole('heading', { name: 'Devices' }).waitFor();
  },
};

/** Where the reader is, and the service that the reader uses. */
interface Place {
  cwd: string;
  service?: Service | Promise<Service | undefined> | undefined;
}

/** Pages of functions, which a program of test/readers calls, or one of browser-readers.ts in Chromium. */
const ofFunctions = [
  'errors',
  'sign-in-methods',
  'second-factor',
  'google-and-apple',
  'passkeys',
  'runtimes',
  'moving-from-v1',
  'offline-and-tabs',
  'desktop-and-mobile',
  'server',
];

const wanted = process.argv.slice(2);
const isWanted = (page: string) => wanted.length === 0 || wanted.includes(page);
const folder = await mkdtemp(join(tmpdir(), 'foyer-docs-'));
/** Where the services run, from the packed command line. */
const machine = join(folder, 'machine');
/** In place of Google and Apple. */
const provider = await identityProvider({ now: () => new Date() }, 'client');
const { issuer } = provider;
const ofProvider = (name: string) => ({
  [`${name}_ISSUER`]: issuer,
  [`${name}_JWKS_URL`]: provider.addresses.jwksUrl,
});
const shell = commandLine(folder, {
  ...ofProvider('PROVIDER_A'),
  ...ofProvider('PROVIDER_B'),
  PROVIDER_B_TOKEN_URL: provider.addresses.tokenUrl,
  PROVIDER_B_REVOKE_URL: provider.addresses.revokeUrl,
});
/** The backend of the reader's app; it also gives the tokens that the button of a provider returns, and shows an empty page. */
const backend = createServer(async ({ url = '' }, response) => {
  const { pathname, searchParams } = new URL(url, 'http://localhost');
  if (pathname === '/page') return response.setHeader('Content-Type', 'text/html').end('<!doctype html>');
  if (pathname !== '/provider') return response.end('{}');
  const claims = Object.fromEntries(searchParams);
  const code = provider.code(claims.sub!, claims.aud!);
  response.end(JSON.stringify({ id_token: await provider.idToken({ claims }), code }));
}).listen(0, '127.0.0.1');
const browser = await chromium.launch({ executablePath: executablePath as string, args: ['--no-sandbox'] });
try {
  await shell.run(`node server/pack.mjs ${folder}`, join(workspace, '..'));
  const [packed] = (await readdir(folder)).filter((name) => name.endsWith('.tgz'));
  await mkdir(machine);
  await shell.run(`npm init -y && npm install ../${packed}`, machine);
  const service = await startService();
  const start = follow('docs/getting-started', { cwd: 'getting-started', service });
  const after = async (page: string, cwd: string) => {
    await start;
    return follow(page, { cwd, service });
  };
  const react = isWanted('react') && after('docs/react', 'react');
  // These begin in the folder of the first page, and their records are in the collection of the React page.
  const inSameFolder = async () => {
    await start;
    for (const page of ['admin', 'storage', 'testing'].filter(isWanted))
      await after(`docs/${page}`, 'getting-started/my-app');
    const features = async () => (await react) && after('docs/features', 'getting-started/my-app');
    await Promise.all([features(), readAll(join(folder, 'getting-started/my-app'))]);
  };
  const alone = ['frameworks', 'nextjs', 'ready-screens']
    .filter(isWanted)
    .map((page) => after(`docs/${page}`, page));
  await Promise.all([
    isWanted('README') && follow('README', { cwd: 'readme', service: await startService() }),
    isWanted('llms.txt') && followServed(await startService()),
    react,
    ...alone,
    inSameFolder(),
  ]);
} finally {
  await browser.close();
  await shell.end();
  backend.close();
  await provider.stop();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}
// Helpers of the bundlers may outlive it.
process.exit();

/** A service of its own on another machine than the reader's, who knows its URL and its keys. */
async function startService(options = ''): Promise<Service> {
  const command = `npx foyer dev ${options} --port ${await freePort()}`;
  return serviceOf(await shell.start(command, machine, serviceStarted));
}

/** As a program reads the documentation: /llms.txt of a service and the Markdown that it names, and nothing of the repository. */
async function followServed({ url, ...keys }: Service): Promise<void> {
  const textAt = async (link: string) => {
    const answer = await fetch(link);
    if (!answer.ok) throw new Error(`${link} is answered ${answer.status}`);
    return answer.text();
  };
  const [, link] = /\]\((\S+\/skill\.md)\)/.exec(await textAt(`${url}/llms.txt`))!;
  await follow('llms.txt', { cwd: 'llms', service: { url, ...keys } }, await textAt(link!));
}

/** Follows the pages of functions in the folder of the first page, all with one service that limits no calls. */
async function readAll(cwd: string): Promise<void> {
  const pages = ofFunctions.filter(isWanted);
  if (pages.length === 0) return;
  const service = await startService('--no-rate-limits');
  if (!existsSync(join(cwd, 'node_modules/jose'))) await shell.run('npm install jose', cwd);
  // They change settings of the same app.
  for (const page of pages) {
    const startedAtMs = Date.now();
    try {
      await read(page, cwd, service);
    } catch (error) {
      throw new Error(`docs/${page}.md`, { cause: error });
    }
    console.log(`docs/${page}.md: ${Math.round((Date.now() - startedAtMs) / 1_000)} s`);
  }
}

/** Writes each snippet into a file of its own, and runs the program of the page with them. */
async function read(page: string, cwd: string, service: Service): Promise<void> {
  const place = join(cwd, page);
  await mkdir(place, { recursive: true });
  const text = await readFile(join(workspace, 'docs', `${page}.md`), 'utf8');
  const names: string[] = [];
  for (const [, above, source] of text.matchAll(/(?:`([\w-]+\.ts)`[^\n]*\n\n)?```ts\n(.*?)```/gs)) {
    const name = above ?? `snippet-${names.length}.ts`;
    names.push(name);
    const filled = source!
      .replaceAll('https://accounts.example.com', service.url)
      .replaceAll(/pk_…|pk_live_1|pk_1\b/g, service['app key']);
    await writeFile(join(place, name), filled);
  }
  await writeFile(join(place, 'page.ts'), names.map((name) => `export * from './${name}';\n`).join(''));
  for (const file of ['service.js', `${page}.js`]) {
    const reader = join(workspace, 'test/readers', file);
    if (existsSync(reader)) await copyFile(reader, join(place, file));
  }
  for (const [command] of text.matchAll(/^npm install .*/gm)) await shell.run(command, cwd);
  const { port } = backend.address() as { port: number };
  const inBrowser = browserReaders[page];
  if (inBrowser) return inBrowser({ place, service, browser, shell, origin: `http://localhost:${port}` });
  const variables = {
    ...{ FOYER_URL: service.url, FOYER_APP_ID: service['app id'], FOYER_APP_KEY: service['app key'] },
    ...{ FOYER_SECRET_KEY: service['secret key'], FOYER_PROVIDER: `http://127.0.0.1:${port}/provider` },
  };
  const assigned = Object.entries(variables).map(([name, value]) => `${name}='${value}'`);
  await shell.run(`${assigned.join(' ')} npx tsx ${page}/${page}.js`, cwd);
  if (page !== 'runtimes') return;
  const { output } = await shell.run(
    `npx tsx ${page}/command-line.ts ${service.url}/api/v2 session command-line@example.com`,
    cwd,
  );
  if (!output.includes('command-line@example.com')) throw new Error(output);
}

function serviceOf(printed: string): Service {
  const after = (label: string) => new RegExp(`${label} +(http:|)(\\S+)`).exec(printed)!.slice(1).join('');
  const ids = { 'app id': after('app id'), 'app key': after('app key') };
  return { ...ids, 'secret key': after('secret key'), url: after('running at') };
}

/** Follows a page from a folder; returns where the reader is at its end. */
async function follow(page: string, start: Place, served?: string): Promise<Place> {
  const startedAtMs = Date.now();
  const text = served ?? (await readFile(join(workspace, `${page}.md`), 'utf8'));
  const place = { ...start, cwd: join(folder, start.cwd) };
  await mkdir(place.cwd, { recursive: true });
  const ports = new Map<string, string>();
  /** The files before the first app of the page, which each of its apps needs. */
  const shared = new Map<string, string>();
  let output = '';
  const continued: string[] = [];

  const block =
    /(?:`([^`\n]+\.(?:m?[jt]sx?|vue|svelte|html))`[^\n]*\n(?:[^\n]+\n)*\n)?```(\w+)\n(?:\/\/ ([\w.-]+\.\w+)\n)?(.*?)```/gs;
  try {
    for (const [, above, language, within, source] of text.matchAll(block)) {
      const file = within ?? above;
      if (language === 'sh') {
        for (const line of source!.trim().split('\n')) await runLine(line);
      } else if (language === 'text') assertOutput(source!);
      else if (file && existsSync(join(place.cwd, 'package.json'))) await write(file, source!);
      else if (file) shared.set(file, source!);
      else if (language === 'ts') continued.push(source!);
    }
    if (/The snippets\s+continue each other/.test(text)) {
      const file = `${page.split('/')[1]}.ts`;
      await write(file, continued.join('\n'));
      await runLine(`FOYER_SECRET_KEY=sk_… npx tsx ${file}`);
    }
  } catch (error) {
    throw new Error(`${page}, in ${place.cwd}`, { cause: error });
  }
  console.log(`${page}: ${Math.round((Date.now() - startedAtMs) / 1_000)} s`);
  return place;

  async function runLine(line: string): Promise<void> {
    const command = await onThisMachine(line.replace(/ +#.*/, ''));
    if (!startsServer.test(command)) {
      const before = place.cwd;
      ({ cwd: place.cwd, output } = await shell.run(command, before));
      if (place.cwd !== before) for (const [file, source] of shared) await write(file, source);
      return;
    }
    if (command.startsWith('npx foyer dev')) {
      const printed = await shell.start(`${command} --port ${await freePort()}`, place.cwd, serviceStarted);
      place.service = serviceOf(printed);
      return;
    }
    const [url] = /http:\/\/localhost:\d+/.exec(
      await shell.start(command, place.cwd, /http:\/\/localhost:\d+/),
    )!;
    await useApp(url);
  }

  async function write(file: string, source: string): Promise<void> {
    const isSource = existsSync(join(place.cwd, 'src')) && !/\.mjs$|\//.test(file);
    const path = join(place.cwd, isSource ? 'src' : '', file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, await onThisMachine(source));
  }

  /** Fills in what the reader fills in, and moves services to ports that are free here. */
  async function onThisMachine(text: string): Promise<string> {
    const service = /pk_|sk_|localhost:|example\.com/.test(text) ? await place.service : undefined;
    const values: [string | RegExp, string | undefined][] = [
      ['<path to the clone>', folder],
      [/http:\/\/localhost:3000|https:\/\/accounts\.example\.com/g, service?.url],
      [/pk_…|pk_live_1|pk_1\b/g, service?.['app key']],
      ['sk_…', service?.['secret key']],
      ['from the provider', 'a-registration-token'],
      [/01JC4Q7M0RZ9X2V5T8W3Y6K1NB/g, service?.['app id']],
      ['https://api.example.com', `http://127.0.0.1:${(backend.address() as { port: number }).port}`],
    ];
    let result = text;
    for (const [placeholder, value] of values) {
      if (value !== undefined) result = result.replaceAll(placeholder, value);
    }
    for (const [, port] of text.matchAll(/(?:localhost:|--port )(\d+)/g)) {
      if (port === '3000' || service?.url.endsWith(`:${port}`)) continue;
      if (!ports.has(port!)) ports.set(port!, String(await freePort()));
      result = result.replaceAll(new RegExp(`(localhost:|--port )${port}\\b`, 'g'), `$1${ports.get(port!)}`);
    }
    return result;
  }

  function assertOutput(expected: string): void {
    const literal = expected.trim().replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    if (new RegExp(literal.replace(/\s+/g, '\\s+').replaceAll('…', '.*?'), 's').test(output)) return;
    throw new Error(`printed\n${output}\nin place of\n${expected}`);
  }

  /** Signs in if there is a form, finds the user again after a reload, and signs out if there is a button. */
  async function useApp(url: string): Promise<void> {
    const tab = await (await browser.newContext()).newPage();
    const errors: string[] = [];
    tab.on('pageerror', (error) => errors.push(error.message));
    tab.setDefaultTimeout(180_000);
    const signIn = tab.getByRole('button', { name: /^Sign (up or )?in$/ });
    // A list of devices has more of them.
    const signOut = tab.getByRole('button', { name: 'Sign out' }).first();
    // Next.js announces the heading a second time.
    const hello = tab.getByText(/Hello (Ada|Grace)/i).first();
    // A development server translates a route at its first request, which can take longer than the client waits.
    const tooLate = tab.getByText(/Please try again|client\/timeout/);
    const submit = async (given: string, expected: Locator) => {
      for (let tries = 1; tries <= 5; tries += 1) {
        await tab.locator('[type=password]').fill(given);
        await signIn.click();
        await expected.or(tooLate).first().waitFor();
        if (await expected.isVisible()) return;
      }
      await expected.waitFor();
    };
    try {
      await tab.goto(url);
      await signIn.or(hello).first().waitFor();
      if (await signIn.isVisible()) {
        const email = tab.locator('[type=email]');
        if (!(await email.inputValue()))
          await email.fill(/\w+@example\.com/.exec(text)?.[0] ?? 'ada@example.com');
        await submit(
          'wrong password',
          tab.getByText(/(Email|email) or (the )?password is wrong|auth\/invalid-credential/),
        );
        await submit(password, hello);
      }
      await hello.waitFor();
      await tab.reload();
      await hello.waitFor();
      await promises[page]?.(place, tab);
      if (await signOut.isVisible()) {
        await signOut.click();
        await signIn.waitFor();
      }
      if (errors.length) throw new Error(errors.join('\n'));
    } catch (error) {
      throw new Error(`the page shows: ${await tab.locator('body').innerText()}\n${errors}`, {
        cause: error,
      });
    }
    await tab.context().close();
  }
}
