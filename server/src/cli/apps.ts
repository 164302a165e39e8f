// foyer apps: make, list, set up, switch and delete apps.
import { contract, limits } from '@foyer/contract';
import { type AppChange, changeApp } from '../apps/change-app.js';
import { createApp, listApps } from '../apps/create-app.js';
import { deleteApp } from '../apps/delete-app.js';
import type { StoreDeps } from '../deps.js';
import { removeFilesOfApp } from '../files/remove-bytes.js';
import { jsonLogger } from '../lib/logger.js';
import { oneLine } from '../lib/one-line.js';
import { byCommandLine } from '../model/actor.js';
import { type App, issuerOf } from '../model/app.js';
import { serializeSettings, updateSettings } from '../settings/settings.js';
import { settingsOfArguments } from '../settings/settings-arguments.js';
import { fileStoreOf } from '../wiring.js';
import { appNamed, checked, parse, UsageError, type WithStore } from './argv.js';

const fields = contract.console.createApp.body.shape;

const commands: Record<string, (argv: string[], withStore: WithStore) => Promise<void>> = {
  create: createOne,
  list: listAll,
  show: showOne,
  set: setSettings,
  rename: renameOne,
  disable: (argv, withStore) => switchOne(argv, withStore, false),
  enable: (argv, withStore) => switchOne(argv, withStore, true),
  delete: deleteOne,
};

export async function apps(argv: string[], withStore: WithStore): Promise<void> {
  const [command = '', ...rest] = argv;
  if (!Object.hasOwn(commands, command)) {
    throw new UsageError('use apps create, list, show, set, rename, disable, enable or delete');
  }
  return commands[command]?.(rest, withStore);
}

async function createOne(argv: string[], withStore: WithStore): Promise<void> {
  const { options } = parse(argv, {
    name: { type: 'string' },
    slug: { type: 'string' },
    'token-lifetime': { type: 'string' },
    'token-algorithm': { type: 'string' },
    json: { type: 'boolean' },
  });
  const name = checked(fields.name, 'name', options.name);
  const slug = checked(fields.slug, 'slug', options.slug);
  const { min, default: usual, max } = limits.accessTokenSeconds;
  const lifetime = Number(options['token-lifetime'] ?? usual);
  if (!Number.isInteger(lifetime) || lifetime < min || lifetime > max) {
    throw new UsageError(`--token-lifetime must be ${min} to ${max} seconds`);
  }
  const algorithm = options['token-algorithm'] ?? 'ES256';
  if (algorithm !== 'ES256' && algorithm !== 'RS256')
    throw new UsageError('--token-algorithm must be ES256 or RS256');
  await withStore(async (deps, print) => {
    const { app, secretKey } = await createApp(deps, {
      name,
      slug,
      tokenAlgorithm: algorithm,
      accessTokenSeconds: lifetime,
    });
    if (options.json)
      return print(JSON.stringify({ app_id: app.id, app_key: app.appKey, secret_key: secretKey }));
    print(`Created the app ${JSON.stringify(app.name)}.`);
    print(`  app id      ${app.id}`);
    print(`  slug        ${app.slug}`);
    print(`  app key     ${app.appKey}   (public: identifies the app)`);
    print(`  secret key  ${secretKey}   (for your backend only; not shown again)`);
  });
}

async function listAll(argv: string[], withStore: WithStore): Promise<void> {
  const { options } = parse(argv, { json: { type: 'boolean' } });
  await withStore(async (deps, print) => {
    const all = await listApps(deps);
    if (options.json) return print(JSON.stringify(all.map(shown)));
    if (all.length === 0)
      return print('There is no app yet; create one with `foyer apps create --name <name>`.');
    for (const app of all)
      print(
        `${app.id}  ${app.slug}  ${app.appKey}  ${oneLine(app.name)}${app.enabled ? '' : '  (disabled)'}`,
      );
  });
}

async function setSettings(argv: string[], withStore: WithStore): Promise<void> {
  const [name, ...settings] = argv;
  if (!name || settings.length === 0)
    throw new UsageError('apps set requires an app and at least one name=value');
  const patch = settingsOfArguments(settings);
  await withStore(async (deps, print) => {
    const app = await appNamed(deps, name);
    print(JSON.stringify(await updateSettings(deps, byCommandLine(app.id), patch), null, 2));
  });
}

async function showOne(argv: string[], withStore: WithStore): Promise<void> {
  const { options, positionals } = parse(argv, { json: { type: 'boolean' } }, 'the app');
  await withStore(async (deps, print) => {
    const app = await appNamed(deps, positionals[0] as string);
    if (options.json) return print(JSON.stringify({ ...shown(app), settings: serializeSettings(app) }));
    print(`${oneLine(app.name)}${app.enabled ? '' : '  (disabled)'}`);
    print(`  app id      ${app.id}`);
    print(`  slug        ${app.slug}`);
    print(`  app key     ${app.appKey}`);
    print(`  issuer      ${issuerOf(deps.config.baseUrl, app.id)}`);
    print('  settings');
    print(JSON.stringify(serializeSettings(app), null, 2).replace(/^/gm, '    '));
  });
}

async function renameOne(argv: string[], withStore: WithStore): Promise<void> {
  const { options, positionals } = parse(argv, { name: { type: 'string' } }, 'the app');
  const name = checked(fields.name, 'name', options.name);
  await withStore(async (deps, print) => {
    const app = await appNamed(deps, positionals[0] as string);
    await change(deps, app, { name });
    print(
      `Renamed ${JSON.stringify(app.name)} to ${JSON.stringify(name)}. Its id, slug and keys are unchanged.`,
    );
  });
}

async function switchOne(argv: string[], withStore: WithStore, enabled: boolean): Promise<void> {
  const { positionals } = parse(argv, {}, 'the app');
  await withStore(async (deps, print) => {
    const app = await appNamed(deps, positionals[0] as string);
    const verdict = await change(deps, app, { enabled });
    const name = JSON.stringify(app.name);
    if (verdict === 'unchanged')
      return print(`The app ${name} is already ${enabled ? 'enabled' : 'disabled'}.`);
    print(
      enabled
        ? `Enabled the app ${name}: its keys work again within five seconds, and sessions continue.`
        : `Disabled the app ${name}: within five seconds every call with its keys returns request/invalid-app-key. Nothing is deleted; enable it again with \`foyer apps enable ${app.slug}\`.`,
    );
  });
}

/** Deletes an app in stages: the app must be disabled first, and named again in full before anything is deleted. */
async function deleteOne(argv: string[], withStore: WithStore): Promise<void> {
  const { options, positionals } = parse(argv, { confirm: { type: 'string' } }, 'the app');
  await withStore(async (deps, print) => {
    const app = await appNamed(deps, positionals[0] as string);
    if (app.enabled) {
      throw new Error(
        `the app ${app.slug} is enabled: disable it first with \`foyer apps disable ${app.slug}\``,
      );
    }
    if (options.confirm !== app.slug && options.confirm !== app.id) {
      throw new Error(
        `this deletes the app ${JSON.stringify(app.name)} with all its users, files, records and keys, permanently. To continue: foyer apps delete ${app.slug} --confirm ${app.slug}`,
      );
    }
    const fileStore = await fileStoreOf(deps.config, jsonLogger(deps.config.logLevel));
    const removeFiles = (appId: string) => removeFilesOfApp({ ...deps, fileStore }, appId);
    const rows = await deleteApp({ ...deps, removeFiles }, byCommandLine(app.id));
    print(`Deleted the app ${JSON.stringify(app.name)}: ${rows.toLocaleString('en')} rows and its files.`);
    print('Audit log entries about the app itself are retained for AUDIT_DAYS (400 by default).');
  });
}

async function change(deps: StoreDeps, app: App, to: AppChange): Promise<'changed' | 'unchanged'> {
  const verdict = await changeApp(deps, byCommandLine(app.id), to);
  if (verdict === 'being deleted')
    throw new Error('the deletion of this app has begun; it cannot be changed');
  return verdict;
}

function shown(app: App) {
  return { app_id: app.id, slug: app.slug, name: app.name, app_key: app.appKey, enabled: app.enabled };
}
