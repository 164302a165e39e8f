// foyer keys: the secret keys of an app.
import { contract, type SecretKeyScope, secretKeyScopes } from '@foyer/contract';
import { createSecretKey, listSecretKeys, revokeSecretKey, serializeSecretKey } from '../apps/secret-keys.js';
import { oneLine } from '../lib/one-line.js';
import { timestamp } from '../lib/timestamp.js';
import { byCommandLine } from '../model/actor.js';
import type { SecretKey } from '../model/secret-key.js';
import { appNamed, checked, parse, UsageError, type WithStore } from './argv.js';
import { expiryOf } from './expiry.js';

export async function keys(argv: string[], withStore: WithStore): Promise<void> {
  const [command, ...rest] = argv;
  if (command === 'create') return createOne(rest, withStore);
  if (command === 'list') return listAll(rest, withStore);
  if (command === 'revoke') return revokeOne(rest, withStore);
  throw new UsageError('use keys create, keys list or keys revoke');
}

async function createOne(argv: string[], withStore: WithStore): Promise<void> {
  const { options, positionals } = parse(
    argv,
    {
      name: { type: 'string' },
      scopes: { type: 'string', multiple: true },
      'all-scopes': { type: 'boolean' },
      expires: { type: 'string' },
      json: { type: 'boolean' },
    },
    'the app',
  );
  const name = checked(contract.keys.create.body.shape.name, 'name', options.name);
  const scopes = scopesOf(options.scopes as string[] | undefined, options['all-scopes'] === true);
  await withStore(async (deps, print) => {
    const expiresAt =
      options.expires === undefined ? null : expiryOf(String(options.expires), deps.clock.now());
    const app = await appNamed(deps, positionals[0] as string);
    const { key, secretKey } = await createSecretKey(deps, byCommandLine(app.id), {
      name,
      scopes,
      expiresAt,
    });
    if (options.json) return print(JSON.stringify({ ...serializeSecretKey(key), secret_key: secretKey }));
    print(`Created the secret key ${JSON.stringify(key.name)} of the app ${JSON.stringify(app.name)}.`);
    print(`  id          ${key.id}`);
    print(`  secret key  ${secretKey}   (for your backend only; not shown again)`);
    print(`  scopes      ${key.scopes.join(' ')}`);
    print(`  expires     ${key.expiresAt ? timestamp(key.expiresAt) : 'never'}`);
  });
}

/** Scopes must be explicit: a key without scopes is useless. */
function scopesOf(words: string[] | undefined, all: boolean): SecretKeyScope[] {
  const known = `the scopes are ${secretKeyScopes.join(' ')}`;
  if (words !== undefined && all) throw new UsageError('--scopes and --all-scopes cannot be combined');
  if (all) return [...secretKeyScopes];
  const named = (words ?? []).flatMap((word) => word.split(/[\s,]+/)).filter((word) => word !== '');
  if (named.length === 0) throw new UsageError(`--scopes or --all-scopes is required: ${known}`);
  const unknown = named.find((word) => !(secretKeyScopes as readonly string[]).includes(word));
  if (unknown !== undefined) throw new UsageError(`there is no scope ${JSON.stringify(unknown)}: ${known}`);
  return secretKeyScopes.filter((scope) => named.includes(scope));
}

async function listAll(argv: string[], withStore: WithStore): Promise<void> {
  const { options, positionals } = parse(argv, { json: { type: 'boolean' } }, 'the app');
  await withStore(async (deps, print) => {
    const app = await appNamed(deps, positionals[0] as string);
    const all = await listSecretKeys(deps, app.id);
    if (options.json) return print(JSON.stringify(all.map(serializeSecretKey)));
    if (all.length === 0) return print('The app has no secret key; create one with `foyer keys create`.');
    for (const key of all) {
      print(`${key.id}  sk_…${key.lastFour}  ${oneLine(key.name)}`);
      print(`  scopes  ${key.scopes.join(' ') || 'none'}`);
      print(`  ${timesOf(key).join(', ')}`);
    }
  });
}

async function revokeOne(argv: string[], withStore: WithStore): Promise<void> {
  const { positionals } = parse(argv, {}, 'the app', 'the id of the key');
  const [name, id] = positionals as [string, string];
  await withStore(async (deps, print) => {
    const app = await appNamed(deps, name);
    const revoked = await revokeSecretKey(deps, byCommandLine(app.id), id);
    if (revoked === 'unknown') throw new Error(`the app has no secret key with the id ${JSON.stringify(id)}`);
    print(
      revoked === 'was revoked'
        ? `The secret key ${id} was already revoked.`
        : `Revoked the secret key ${id}: it is rejected from now on.`,
    );
  });
}

function timesOf(key: SecretKey): string[] {
  return [
    `created ${timestamp(key.createdAt)}`,
    key.lastUsedAt ? `last used ${timestamp(key.lastUsedAt)}` : 'never used',
    ...(key.expiresAt ? [`expires ${timestamp(key.expiresAt)}`] : []),
    ...(key.revokedAt ? [`revoked ${timestamp(key.revokedAt)}`] : []),
  ];
}
