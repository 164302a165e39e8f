#!/usr/bin/env node
// The command line `foyer`. It speaks to a person: results on stdout, refusals as one sentence on stderr and exit code 1.
import { parseArgs } from 'node:util';
import { reencryptAppSecrets } from './apps/app-secrets.js';
import { createApp, listApps } from './apps/create-app.js';
import { updateSettings } from './apps/settings.js';
import { settingsOfWords } from './apps/settings-words.js';
import { commandLine } from './audit/entry.js';
import { buildStoreDeps, type StoreDeps } from './deps.js';
import { readConfig } from './env.js';
import { reencryptProviderTokens } from './identities/kept-tokens.js';
import { runService } from './main.js';
import { reencryptSigningKeys, rotateSigningKeys } from './tokens/signing-keys.js';

const usage = `foyer: user accounts and sign-in for your apps

  foyer start                        run the service
  foyer migrate                      bring the database up to date, without starting
  foyer apps create --name <name>    make an app; prints its app key and secret key, once
      [--slug <slug>] [--token-lifetime <seconds>] [--token-algorithm ES256|RS256] [--json]
  foyer apps list [--json]           list the apps
  foyer apps set <app> <name>=<value> ...
                                     change settings of an app, by its id or slug; names as in GET /admin/settings,
                                     such as mail.from_name=Example or provider_b.private_key=@key.p8
  foyer rotate-keys                  sign access tokens with the next key; no valid token stops working
      [--revoke-retired]             a key leaked: retired keys leave the key set at once
      [--secret]                     instead, encrypt stored secrets under the first key of SECRET_KEY

The environment says where: DATABASE_URL and SECRET_KEY for PostgreSQL, or DATA_DIR (default .foyer) for the embedded
database; .env.example lists every variable.
`;

class UsageError extends Error {}

async function main(words: string[]): Promise<void> {
  const [command, ...rest] = words;
  switch (command) {
    case 'start':
      demandNoMore(rest);
      return runService(readConfig(process.env), say);
    case 'migrate':
      demandNoMore(rest);
      return withStore(async () => say('The database is up to date.'));
    case 'apps':
      return apps(rest);
    case 'rotate-keys':
      return rotateKeys(rest);
    case 'help':
    case '--help':
    case '-h':
      return say(usage.trimEnd());
    case undefined:
      throw new UsageError('a command is missing');
    default:
      throw new UsageError(`there is no command ${JSON.stringify(command)}`);
  }
}

async function apps(words: string[]): Promise<void> {
  const [command, ...rest] = words;
  if (command === 'create') return createOne(rest);
  if (command === 'list') return listAll(rest);
  if (command === 'set') return setSettings(rest);
  throw new UsageError('apps is followed by create, list or set');
}

async function createOne(words: string[]): Promise<void> {
  const options = parse(words, {
    name: { type: 'string' },
    slug: { type: 'string' },
    'token-lifetime': { type: 'string' },
    'token-algorithm': { type: 'string' },
    json: { type: 'boolean' },
  });
  const name = String(options.name ?? '').trim();
  if (name === '' || name.length > 100) throw new UsageError('--name is needed: 1 to 100 characters');
  const slug = options.slug as string | undefined;
  if (slug !== undefined && !/^[a-z0-9][a-z0-9-]{0,62}$/.test(slug)) {
    throw new UsageError('--slug takes lower-case letters, digits and hyphens');
  }
  const lifetime = options['token-lifetime'] === undefined ? 3_600 : Number(options['token-lifetime']);
  if (!Number.isInteger(lifetime) || lifetime < 300 || lifetime > 86_400) {
    throw new UsageError('--token-lifetime takes 300 to 86400 seconds');
  }
  const algorithm = options['token-algorithm'] ?? 'ES256';
  if (algorithm !== 'ES256' && algorithm !== 'RS256')
    throw new UsageError('--token-algorithm takes ES256 or RS256');
  await withStore(async (deps) => {
    if (slug !== undefined && (await listApps(deps)).some((app) => app.slug === slug)) {
      throw new Error(`there is an app with the slug ${slug} already`);
    }
    const { app, secretKey } = await createApp(deps, {
      name,
      tokenAlgorithm: algorithm,
      accessTokenSeconds: lifetime,
      ...(slug !== undefined && { slug }),
    });
    if (options.json)
      return say(JSON.stringify({ app_id: app.id, app_key: app.appKey, secret_key: secretKey }));
    say(`Made the app ${JSON.stringify(app.name)}.`);
    say(`  app id      ${app.id}`);
    say(`  app key     ${app.appKey}   (goes into the app; it only names it)`);
    say(`  secret key  ${secretKey}   (for your backend alone; it is not shown again)`);
  });
}

async function listAll(words: string[]): Promise<void> {
  const { json } = parse(words, { json: { type: 'boolean' } });
  await withStore(async (deps) => {
    const all = await listApps(deps);
    if (json) {
      const shown = all.map((app) => ({
        app_id: app.id,
        slug: app.slug,
        name: app.name,
        app_key: app.appKey,
        enabled: app.enabled,
      }));
      return say(JSON.stringify(shown));
    }
    if (all.length === 0) return say('There is no app yet: make one with `foyer apps create --name <name>`.');
    for (const app of all) say(`${app.id}  ${app.appKey}  ${app.name}${app.enabled ? '' : '  (off)'}`);
  });
}

async function setSettings(words: string[]): Promise<void> {
  const [name, ...settings] = words;
  if (!name || settings.length === 0)
    throw new UsageError('apps set takes an app and at least one name=value');
  const patch = settingsOfWords(settings);
  await withStore(async (deps) => {
    const app = (await listApps(deps)).find((one) => one.id === name || one.slug === name);
    if (!app) throw new Error(`there is no app with the id or slug ${JSON.stringify(name)}`);
    say(JSON.stringify(await updateSettings(deps, app.id, patch, commandLine), null, 2));
  });
}

async function rotateKeys(words: string[]): Promise<void> {
  const options = parse(words, { secret: { type: 'boolean' }, 'revoke-retired': { type: 'boolean' } });
  if (options.secret && options['revoke-retired'])
    throw new UsageError('--secret and --revoke-retired do not go together');
  await withStore(async (deps) => {
    if (options.secret) {
      const count =
        (await reencryptSigningKeys(deps)) +
        (await reencryptAppSecrets(deps)) +
        (await reencryptProviderTokens(deps));
      return say(`Encrypted ${count} secrets again under the first key of SECRET_KEY.`);
    }
    const used = new Set(['ES256' as const, ...(await listApps(deps)).map((app) => app.tokenAlgorithm)]);
    for (const algorithm of used) {
      const keys = await rotateSigningKeys(deps, algorithm, {
        revokeRetired: options['revoke-retired'] === true,
      });
      say(`${algorithm}: ${keys.current} signs now, ${keys.next} comes next, ${keys.retired} is retired.`);
    }
    say(
      options['revoke-retired']
        ? 'Retired keys have left the key set: access tokens they signed are refused, and apps refresh them.'
        : 'The retired key stays in the key set until the last token it signed has expired.',
    );
  });
}

async function withStore(work: (deps: StoreDeps) => Promise<void>): Promise<void> {
  const { deps, close } = await buildStoreDeps(readConfig(process.env));
  try {
    await work(deps);
  } finally {
    await close();
  }
}

type Options = NonNullable<Parameters<typeof parseArgs>[0]>['options'];

function parse(words: string[], options: NonNullable<Options>): Record<string, unknown> {
  try {
    return parseArgs({ args: words, options, strict: true }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function demandNoMore(words: string[]): void {
  if (words.length > 0) throw new UsageError(`${JSON.stringify(words[0])} is one word too many`);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  const sentence = error instanceof Error ? error.message : String(error);
  process.stderr.write(`foyer: ${sentence}\n${error instanceof UsageError ? `\n${usage}` : ''}`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
});
