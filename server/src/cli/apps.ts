// foyer apps: make, list and set up apps.
import { createApp, listApps } from '../apps/create-app.js';
import { updateSettings } from '../apps/settings.js';
import { settingsOfWords } from '../apps/settings-words.js';
import { commandLine } from '../audit/entry.js';
import { appNamed, parse, say, UsageError, type WithStore } from './words.js';

export async function apps(words: string[], withStore: WithStore): Promise<void> {
  const [command, ...rest] = words;
  if (command === 'create') return createOne(rest, withStore);
  if (command === 'list') return listAll(rest, withStore);
  if (command === 'set') return setSettings(rest, withStore);
  throw new UsageError('apps is followed by create, list or set');
}

async function createOne(words: string[], withStore: WithStore): Promise<void> {
  const { options } = parse(words, {
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
    say(`  slug        ${app.slug}`);
    say(`  app key     ${app.appKey}   (goes into the app; it only names it)`);
    say(`  secret key  ${secretKey}   (for your backend alone; it is not shown again)`);
  });
}

async function listAll(words: string[], withStore: WithStore): Promise<void> {
  const { options } = parse(words, { json: { type: 'boolean' } });
  await withStore(async (deps) => {
    const all = await listApps(deps);
    if (options.json) {
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
    for (const app of all)
      say(`${app.id}  ${app.slug}  ${app.appKey}  ${app.name}${app.enabled ? '' : '  (off)'}`);
  });
}

async function setSettings(words: string[], withStore: WithStore): Promise<void> {
  const [name, ...settings] = words;
  if (!name || settings.length === 0)
    throw new UsageError('apps set takes an app and at least one name=value');
  const patch = settingsOfWords(settings);
  await withStore(async (deps) => {
    const app = await appNamed(deps, name);
    say(JSON.stringify(await updateSettings(deps, app.id, patch, commandLine), null, 2));
  });
}
