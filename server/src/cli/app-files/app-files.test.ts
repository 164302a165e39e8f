// foyer pull, diff, apply and schema, with the database, with the running service and over HTTP.
import { generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Ajv } from 'ajv';
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { randomApp } from '../../../test/app-scenario.js';
import { chanceOf } from '../../../test/bad-values.js';
import { testEncryptionKey, testService } from '../../../test/harness.js';
import { seed } from '../../../test/seed.js';
import { shared } from '../../../test/shared.js';
import type { File } from '../../app-files/write-files.js';
import { readAppSecret } from '../../apps/app-secrets.js';
import type { NewApp } from '../../apps/create-app.js';
import { faultsOf } from '../../remote-config/config-rules.js';
import { buildStoreDeps } from '../../wiring.js';
import { runCommand } from '../run.js';
import { answerOfService, serviceAccess } from './access.js';
import { apply, diff, pull } from './commands.js';

const service = shared(() => testService());
const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

let app: NewApp;
let folder: string;
beforeEach(async () => {
  app = await service.newApp('Orchard');
  folder = await newFolder();
});

async function newFolder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'foyer-app-'));
  folders.push(made);
  return made;
}

const privateKey = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString();

type Given = { env?: NodeJS.ProcessEnv; ask?: (question: string) => Promise<boolean> };

async function foyer(words: string[], { env = {}, ask }: Given = {}) {
  const lines: string[] = [];
  let stderr = '';
  const code = await runCommand(words, {
    env: { ENCRYPTION_KEYS: testEncryptionKey, ...env },
    print: (line) => lines.push(line),
    write: async (text) => void lines.push(text),
    stderr: { write: (text) => (stderr += text) },
    ...(ask && { ask }),
    open: (config) => buildStoreDeps(config, { database: { ...service.database, close: async () => {} } }),
  });
  return { code, lines, stderr };
}

const on = (command: string, of = app, place = folder) => [command, place, '--app', of.app.slug];
const edit = (change: (text: string) => string) => {
  const path = join(folder, 'app.yaml');
  writeFileSync(path, change(readFileSync(path, 'utf8')));
};
const filesIn = (place: string) =>
  Object.fromEntries(
    readdirSync(place, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path.slice(place.length), readFileSync(path, 'utf8')]),
  );

test(`random apps (seed ${seed}) are the same after pull, apply to an empty app, and pull`, async () => {
  const chance = chanceOf(seed);
  for (let round = 0; round < 4; round += 1) {
    const { settings, parameters, collections, webhooks } = randomApp(chance);
    const from = await service.newApp('From');
    const call = (method: string, path: string, body: unknown) =>
      service.call(method, path, { appKey: from.app.appKey, token: from.secretKey, body });
    await service.changeSettings({ ...settings, provider_b: { private_key: privateKey } }, from);
    if (Object.keys(faultsOf(parameters as never)).length === 0) {
      await service.call('PUT', '/admin/config', {
        ...{ appKey: from.app.appKey, token: from.secretKey, body: { parameters } },
        headers: { 'if-match': '*' },
      });
    }
    for (const collection of collections) await call('POST', '/admin/collections', collection);
    for (const { enabled, ...webhook } of webhooks) {
      const made = await call('POST', '/admin/webhooks', webhook);
      if (!enabled) await call('PATCH', `/admin/webhooks/${made.json.data.id}`, { enabled });
    }
    const [first, second] = [await newFolder(), await newFolder()];
    const to = await service.newApp('To');
    expect(await foyer(on('pull', from, first))).toMatchObject({ code: 0, stderr: '' });
    const applied = await foyer([...on('apply', to, first), '--yes'], {
      env: { PROVIDER_B_PRIVATE_KEY: privateKey },
    });
    expect(applied).toMatchObject({ code: 0, stderr: '' });
    await foyer(on('pull', to, second));
    expect(filesIn(second)).toEqual(filesIn(first));
    expect(await foyer(on('diff', to, first))).toEqual({ code: 0, lines: ['Nothing differs.'], stderr: '' });
    expect((await foyer(on('apply', to, first))).lines).toEqual(['Nothing differs.']);
  }
});

describe('apply', () => {
  beforeEach(() => foyer(on('pull')));

  test('names the place of an unknown key, and changes nothing', async () => {
    edit((text) => text.replace('sign_up: open', 'sign_upp: open'));
    const line = readFileSync(join(folder, 'app.yaml'), 'utf8').split('\n').indexOf('  sign_upp: open') + 1;
    const { code, lines, stderr } = await foyer(on('apply'));
    expect([code, lines]).toEqual([1, []]);
    expect(stderr).toContain(`app.yaml:${line}:3  settings.sign_upp is unknown`);
  });

  test('names missing secrets before it changes anything', async () => {
    edit((text) =>
      text
        .replace('sign_up: open', 'sign_up: closed')
        .replace('private_key: null', `private_key: \${MY_KEY}`)
        .replace('webhooks: []', `webhooks:\n  - url: https://93.184.215.14/\${MY_TOKEN}`),
    );
    const missing = (names: string) =>
      `foyer: these environment variables are not set, and nothing was changed: ${names}\n`;
    expect((await foyer(on('apply'))).stderr).toBe(missing('MY_TOKEN'));
    const env = { MY_TOKEN: 'secret-token', MY_KEY: '' };
    expect((await foyer(on('apply'), { env })).stderr).toBe(missing('MY_KEY'));
    const given = { env: { MY_TOKEN: 'secret-token', MY_KEY: privateKey } };
    const { lines } = await foyer(on('apply'), given);
    expect(lines).toContain(`  ~ provider_b.private_key: set from \${MY_KEY}`);
    expect(lines.join('\n')).toMatch(/https:\/\/93\.184\.215\.14\/secret-token\n {4}secret {2}whsec_/);
    edit((text) => `# Ours\n${text}`);
    expect((await foyer(on('pull'), given)).code).toBe(0);
    const pulled = readFileSync(join(folder, 'app.yaml'), 'utf8');
    expect(pulled).toMatch(/^# Ours\n/);
    expect(pulled).toContain(`private_key: \${MY_KEY}`);
    expect(pulled).toContain(`url: https://93.184.215.14/\${MY_TOKEN}`);
    expect(pulled).not.toMatch(/PRIVATE KEY|secret-token/);
    expect((await foyer(on('diff'), given)).lines).toEqual(['Nothing differs.']);
    const again = await foyer([...on('apply'), '--secrets'], given);
    expect(again.lines).toEqual([
      'settings',
      `  ~ provider_b.private_key: set from \${MY_KEY}`,
      'Changed settings.',
    ]);
  });

  describe('a webhook whose URL has a variable', () => {
    const env = { MY_TOKEN: 'secret-token' };
    const url = `https://93.184.215.14/\${MY_TOKEN}`;
    beforeEach(async () => {
      edit((text) => text.replace('webhooks: []', `webhooks:\n  - url: ${url}`));
      expect(await foyer(on('apply'), { env })).toMatchObject({ code: 0, stderr: '' });
    });

    test.each<[string, NodeJS.ProcessEnv, (text: string) => string]>([
      ['the variable is not set', {}, (text) => text],
      ['the variable has no value', { MY_TOKEN: '' }, (text) => text],
      ['the variable has another value', { MY_TOKEN: 'of staging' }, (text) => text],
      ['the file has a conflict of Git', env, (text) => `<<<<<<< HEAD\n${text}`],
    ])('is not written in clear text by pull where %s', async (_what, given, change) => {
      edit(change);
      const before = filesIn(folder);
      const { code, lines, stderr } = await foyer(on('pull'), { env: given });
      expect([code, lines]).toEqual([1, []]);
      expect(stderr).not.toContain('secret-token');
      expect(stderr).toMatch(/nothing was (written: set MY_TOKEN|changed:\n {2}app\.yaml:)/);
      expect(filesIn(folder)).toEqual(before);
    });

    test.each<[string, (text: string) => string]>([
      ['the rest of the file has a fault', (text) => text.replace('sign_up: open', 'sign_upp: open')],
      [
        'there is a text of no mail',
        (text) => {
          writeFileSync(join(mailFolder('de'), 'none.md'), 'x');
          return text;
        },
      ],
    ])('keeps the variable in pull where %s', async (_what, change) => {
      edit(change);
      expect(await foyer(on('pull'), { env })).toMatchObject({ code: 0, stderr: '' });
      const pulled = readFileSync(join(folder, 'app.yaml'), 'utf8');
      expect([pulled.includes(`url: ${url}\n`), pulled.includes('secret-token')]).toEqual([true, false]);
    });

    test('does not keep pull from another one at the same host, or from one that was deleted', async () => {
      const keys = { appKey: app.app.appKey, token: app.secretKey };
      const { json } = await service.call('GET', '/admin/webhooks', keys);
      const made = await service.call('POST', '/admin/webhooks', {
        ...keys,
        body: { url: 'https://93.184.215.14/another' },
      });
      expect(made.status).toBe(201);
      expect(await foyer(on('pull'), { env })).toMatchObject({ code: 0, stderr: '' });
      expect(readFileSync(join(folder, 'app.yaml'), 'utf8')).toContain(
        'url: https://93.184.215.14/another\n',
      );
      await service.call('DELETE', `/admin/webhooks/${json.data.items[0].id}`, keys);
      expect(await foyer(on('pull'))).toMatchObject({ code: 0, stderr: '' });
      expect(readFileSync(join(folder, 'app.yaml'), 'utf8')).not.toContain('MY_TOKEN');
    });
  });

  test('changes and deletes providers of the settings as the files say', async () => {
    const contoso = {
      kind: 'oidc' as const,
      name: 'Contoso',
      issuer: 'https://login.example.com',
      client_ids: ['orchard-web'],
      trusts_email: false,
    };
    await service.changeSettings({ providers: { contoso, another: contoso } }, app);
    await foyer(on('pull'));
    edit((text) =>
      text.replace(/ {4}another:\n(?: {6}.*\n)+/, '').replace('name: Contoso', 'name: Contoso AG'),
    );
    expect(await foyer([...on('apply'), '--yes'])).toMatchObject({
      lines: [
        'settings',
        '  - providers.another',
        '  ~ providers.contoso.name: Contoso → Contoso AG',
        'Changed settings.',
      ],
      stderr: '',
    });
    await foyer(on('pull'));
    const pulled = parse(readFileSync(join(folder, 'app.yaml'), 'utf8'));
    expect(pulled.settings.providers).toEqual({
      contoso: { ...contoso, name: 'Contoso AG', scopes: null, client_secret: null },
    });
  });

  test('sends the client secret of a provider from the environment, and removes it', async () => {
    const contoso = {
      ...{ kind: 'oidc' as const, name: 'Contoso', issuer: 'https://login.example.com' },
      ...{ client_ids: ['orchard-web'], trusts_email: false },
    };
    const readSecret = async () =>
      (await readAppSecret(service.deps, app.app.id, 'providers.contoso.client_secret'))?.toString() ?? null;
    await service.changeSettings({ providers: { contoso } }, app);
    await foyer(on('pull'));
    edit((text) =>
      text.replace(/client_secret: null\n(?![\s\S]*client_secret)/, `client_secret: \${CONTOSO}\n`),
    );
    const set = `  ~ providers.contoso.client_secret: set from \${CONTOSO}`;
    expect((await foyer(on('diff'))).lines).toContain(set);
    expect((await foyer(on('apply'))).stderr).toContain('CONTOSO');
    await foyer(on('apply'), { env: { CONTOSO: 'hushhush' } });
    expect(await readSecret()).toBe('hushhush');
    expect((await foyer(on('diff'))).code).toBe(0);
    // Another issuer: the service would drop the secret.
    edit((text) => text.replace('login.example.com', 'login.example.org'));
    await foyer(on('apply'), { env: { CONTOSO: 'another' } });
    expect(await readSecret()).toBe('another');
    await foyer(on('pull'));
    expect(readFileSync(join(folder, 'app.yaml'), 'utf8')).toContain(`client_secret: \${CONTOSO}`);
    edit((text) => text.replace(`client_secret: \${CONTOSO}`, 'client_secret: null'));
    expect((await foyer(on('apply'))).stderr).toContain('the secret providers.contoso.client_secret');
    await foyer([...on('apply'), '--yes']);
    expect(await readSecret()).toBeNull();
  });

  test('removes a secret that the files no longer have', async () => {
    await service.changeSettings({ provider_b: { private_key: privateKey } }, app);
    await foyer(on('pull'));
    edit((text) => text.replace(`private_key: \${PROVIDER_B_PRIVATE_KEY}`, 'private_key: null'));
    const refused = await foyer(on('apply'));
    expect([refused.code, refused.lines]).toEqual([1, ['settings', '  - provider_b.private_key']]);
    expect(refused.stderr).toContain('This deletes the secret provider_b.private_key. Nothing was changed');
    expect((await foyer([...on('apply'), '--yes'])).lines.at(-1)).toBe('Changed settings.');
    expect(await readAppSecret(service.deps, app.app.id, 'provider_b.private_key')).toBeNull();
    expect((await foyer(on('diff'))).lines).toEqual(['Nothing differs.']);
  });

  test('deletes a collection with records only with --delete-records', async () => {
    const keys = { appKey: app.app.appKey, token: app.secretKey };
    await service.call('POST', '/admin/collections', { ...keys, body: { name: 'notes' } });
    await service.call('POST', '/admin/collections', { ...keys, body: { name: 'empty' } });
    const made = await service.call('POST', '/data/notes', { ...keys, body: { fields: { text: 'a' } } });
    expect(made.status).toBe(201);
    await foyer(on('pull'));
    edit((text) => text.replace(/^collections:\n(?: {2}.*\n)+/m, 'collections: {}\n'));
    const asked = await foyer(on('apply'));
    expect([asked.code, asked.lines]).toEqual([1, ['collections', '  - empty', '  - notes']]);
    expect(asked.stderr).toContain('This deletes the collection empty, the collection notes.');
    const kept = await foyer([...on('apply'), '--yes']);
    expect([kept.code, kept.lines]).toEqual([1, asked.lines]);
    expect(kept.stderr).toMatch(
      /^foyer: collections was not changed: .*notes.*; with --delete-records they are deleted\n$/,
    );
    const deleted = await foyer([...on('apply'), '--yes', '--delete-records']);
    expect(deleted).toMatchObject({ code: 0, lines: [...asked.lines, 'Changed collections.'] });
  });

  test.each<[string, string, (text: string) => string, NodeJS.ProcessEnv]>([
    [
      'a value that the service checks before it changes anything',
      'foyer: nothing was changed:\n  settings.provider_b.private_key ',
      (text) =>
        text
          .replace('private_key: null', `private_key: \${MY_KEY}`)
          .replace('value: ""', 'value: https://t.me/a'),
      { MY_KEY: 'k'.repeat(100_000) },
    ],
    [
      'a key that is not one',
      'foyer: settings was not changed: provider_b.private_key ',
      (text) => text.replace('private_key: null', `private_key: \${MY_KEY}`),
      { MY_KEY: 'not a key' },
    ],
  ])('names the setting of %s', async (_what, message, change, env) => {
    edit(change);
    const { code, stderr } = await foyer(on('apply'), { env });
    expect(code).toBe(1);
    expect(stderr.slice(0, message.length)).toBe(message);
    expect(stderr).not.toContain(env.MY_KEY);
    const { lines } = await foyer(on('diff'));
    expect(lines).toContain(`  ~ provider_b.private_key: set from \${MY_KEY}`);
  });

  test('asks before it deletes', async () => {
    edit((text) => text.replace(/ {2}telegram_url:\n {4}type: string\n {4}value: ""\n/, ''));
    const refused = await foyer(on('apply'));
    expect([refused.code, refused.stderr]).toEqual([
      1,
      'foyer: This deletes the parameter telegram_url. Nothing was changed; with --yes it is deleted without a question\n',
    ]);
    const no = await foyer(on('apply'), { ask: async () => false });
    expect([no.code, no.lines.at(-1)]).toEqual([1, 'Nothing was changed.']);
    expect((await foyer(on('diff'))).code).toBe(3);
    let question = '';
    const yes = await foyer(on('apply'), {
      ask: async (asked) => {
        question = asked;
        return true;
      },
    });
    expect([question, yes.lines]).toEqual([
      'This deletes the parameter telegram_url. Continue?',
      ['remote_config', '  - telegram_url', 'Changed remote_config.'],
    ]);
  });

  test('says that the dashboard changed a group meanwhile', async () => {
    edit((text) =>
      text.replace('sign_up: open', 'sign_up: closed').replace('value: ""', 'value: https://t.me/a'),
    );
    const access = serviceAccess(app.app.slug, (words) => answerOfService(service.deps, words.slice(1)));
    const lines: string[] = [];
    const applied = apply(['--app', app.app.slug, folder], {
      env: {},
      print: (line) => lines.push(line),
      ask: undefined,
      withAccess: (_place, work) =>
        work({
          ...access,
          async read() {
            const files = await access.read();
            const { appKey } = app.app;
            await service.call('PUT', '/admin/config', {
              ...{ appKey, token: app.secretKey, body: { parameters: {} } },
              headers: { 'if-match': '*' },
            });
            return files;
          },
        }),
    });
    await expect(applied).rejects.toThrow(
      'remote_config was not changed: it was changed by somebody else after it was read',
    );
    expect(lines).toContain('Changed settings.');
    expect(lines).not.toContain('Changed remote_config.');
  });

  test('tells the difference as a person reads it', async () => {
    await service.changeSettings(
      {
        mail: { texts: { reset: { de: { subject: 'Code', text: 'Hallo\nDu' } } } },
        deep_link: 'orchard://in',
      },
      app,
    );
    writeFileSync(join(mailFolder('de'), 'reset.md'), '---\nsubject: Code\n---\nHallo\nSie\n');
    writeFileSync(join(mailFolder('fr'), 'reset.md'), '---\nsubject: Code\n---\nBonjour\n');
    edit((text) => text.replace('collections: {}', 'collections:\n  notes: { access_mode: owner }'));
    const { code, lines } = await foyer(on('diff'));
    expect(code).toBe(3);
    expect(lines).toEqual([
      'settings',
      '  ~ deep_link: orchard://in → null',
      '  ~ mails/de/reset.md',
      '      - Du',
      '      + Sie',
      '  + mails/fr/reset.md',
      'collections',
      '  + notes',
    ]);
  });
});

function mailFolder(language: string): string {
  const path = join(folder, 'mails', language);
  mkdirSync(path, { recursive: true });
  return path;
}

test('a database that cannot be opened, or that needs another key, is reported and closed', async () => {
  let closed = 0;
  const close = async () => {
    closed += 1;
  };
  const pulled = async (
    open: () => ReturnType<typeof buildStoreDeps>,
    ENCRYPTION_KEYS = testEncryptionKey,
  ) => {
    let stderr = '';
    const code = await runCommand(on('pull'), {
      ...{ env: { ENCRYPTION_KEYS }, print: () => {}, write: async () => {} },
      ...{ stderr: { write: (text) => (stderr += text) }, open },
    });
    return { code, stderr };
  };
  const away = await pulled(() => Promise.reject(new Error('the database is away')));
  expect(away).toEqual({ code: 1, stderr: 'foyer: the database is away\n' });
  const opened = (config = service.deps.config) =>
    buildStoreDeps(config, { database: { ...service.database, close } });
  const other = { ...service.deps.config, encryptionKeys: ['another secret key for tests, long enough'] };
  expect(await pulled(() => opened(other))).toEqual({
    code: 1,
    stderr: expect.stringContaining('ENCRYPTION_KEYS has no key with the id'),
  });
  expect([closed, existsSync(join(folder, 'app.yaml'))]).toEqual([1, false]);
  expect((await pulled(opened)).code).toBe(0);
  expect(closed).toBe(2);
});

test('schema takes no argument', async () => {
  const { code, stderr } = await foyer(['schema', 'app.yaml']);
  expect([code, stderr]).toEqual([2, expect.stringContaining('"app.yaml" is an unexpected argument')]);
});

test('pull removes the texts that the app no longer has', async () => {
  await service.changeSettings(
    { mail: { texts: { reset: { de: { subject: 'Code', text: 'Hallo' } } } } },
    app,
  );
  expect((await foyer(on('pull'))).lines).toEqual([`Wrote 2 files to ${folder}.`]);
  const path = join(folder, 'mails/de/reset.md');
  expect(existsSync(path)).toBe(true);
  await service.changeSettings({ mail: { texts: { reset: null } } }, app);
  expect((await foyer(on('pull'))).lines).toEqual([
    'Removed mails/de/reset.md: the app has no such text.',
    `Wrote one file to ${folder}.`,
  ]);
  expect(existsSync(path)).toBe(false);
});

test.each([
  ['./ in its path', (place: string) => place.replace(/\/(?=[^/]*$)/, '/./')],
  ['two slashes in its path', (place: string) => place.replace(/\/(?=[^/]*$)/, '//')],
  ['a slash at its end', (place: string) => `${place}/`],
  ['a detour in its path', (place: string) => `${place}/mails/../`],
])('a folder with %s is read and written', async (_what, written) => {
  await service.changeSettings(
    { mail: { texts: { reset: { de: { subject: 'Code', text: 'Hallo' } } } } },
    app,
  );
  await foyer(on('pull'));
  const before = filesIn(folder);
  const place = written(folder);
  expect(await foyer(on('diff', app, place))).toEqual({ code: 0, lines: ['Nothing differs.'], stderr: '' });
  expect(await foyer(on('pull', app, place))).toMatchObject({ code: 0, stderr: '' });
  expect(filesIn(folder)).toEqual(before);
});

test('a folder that cannot be created ends pull with the reason', async () => {
  const { code, stderr } = await foyer(on('pull', app, '/proc/foyer/app'));
  expect(code).toBe(1);
  expect(stderr).toContain("mkdir '/proc");
});

test('files that begin with a byte order mark are read', async () => {
  await service.changeSettings(
    { mail: { texts: { reset: { de: { subject: 'Code', text: 'Hallo' } } } } },
    app,
  );
  await foyer(on('pull'));
  for (const path of ['app.yaml', 'mails/de/reset.md'].map((each) => join(folder, each)))
    writeFileSync(path, `\ufeff${readFileSync(path, 'utf8').replaceAll('\n', '\r\n')}`);
  expect((await foyer(on('diff'))).lines).toEqual(['Nothing differs.']);
});

test('a running service answers in place of the database', async () => {
  const access = serviceAccess(app.app.slug, (words) => answerOfService(service.deps, words.slice(1)));
  const context = {
    env: {},
    print: () => {},
    ask: undefined,
    withAccess: <Result>(_place: unknown, work: (opened: typeof access) => Promise<Result>) => work(access),
  };
  await pull(['--app', app.app.slug, folder], context);
  edit((text) => text.replace('sign_up: open', 'sign_up: closed'));
  expect(await apply(['--app', app.app.slug, folder], context)).toBe(0);
  await foyer(on('pull'));
  expect(readFileSync(join(folder, 'app.yaml'), 'utf8')).toContain('sign_up: closed');
});

describe('with a service that is later than the command', () => {
  const later: File = { path: 'mails/de/later.md', text: '---\nsubject: A\n---\nB\n' };

  /** Runs a command with a service that adds to the files of the app, and returns its exit code and what it prints. */
  async function withLater(command: typeof diff, add: (appFile: string) => string) {
    const access = serviceAccess(app.app.slug, (words) => answerOfService(service.deps, words.slice(1)));
    const lines: string[] = [];
    const code = await command(['--app', app.app.slug, folder], {
      ...{ env: {}, print: (line: string) => lines.push(line), ask: undefined },
      withAccess: (_place, work) =>
        work({
          ...access,
          async read() {
            const { files, ...more } = await access.read();
            const [appFile, ...mails] = files as [File, ...File[]];
            return { ...more, files: [{ ...appFile, text: add(appFile.text) }, later, ...mails] };
          },
        }),
    });
    return { code, lines };
  }
  const addSettings = (appFile: string) =>
    `${appFile
      .replace('settings:\n', 'settings:\n  later: 1\n')
      .replace('  mail:\n', '  mail:\n    later: 1\n')}\nlater_group: {}\n`;

  test('diff and apply leave what they do not know as it is, and pull writes it', async () => {
    await foyer(on('pull'));
    expect(await withLater(diff, addSettings)).toEqual({ code: 0, lines: ['Nothing differs.'] });
    edit((text) => text.replace('sign_up: open', 'sign_up: closed'));
    expect(await withLater(apply, addSettings)).toEqual({
      code: 0,
      lines: ['settings', '  ~ sign_up: open → closed', 'Changed settings.'],
    });
    for (let pulls = 0; pulls < 2; pulls += 1) {
      expect((await withLater(pull, addSettings)).code).toBe(0);
      const { '/app.yaml': appFile = '', '/mails/de/later.md': mail } = filesIn(folder);
      expect(appFile).toContain('settings:\n  later: 1\n');
      expect(appFile).toContain('  mail:\n    later: 1\n');
      expect(appFile).toContain('later_group: {}\n');
      expect(mail).toBe(later.text);
    }
  });

  test('what a change would lose is not left out: the command is to be updated', async () => {
    await foyer(on('pull'));
    edit((text) => text.replace('webhooks: []', 'webhooks:\n  - url: https://93.184.215.14/in'));
    const addField = (appFile: string) =>
      appFile.replace('webhooks: []', 'webhooks:\n  - url: https://93.184.215.14/in\n    later: 1');
    await expect(withLater(apply, addField)).rejects.toThrow(
      /^the app has what this version of foyer does not know: update foyer, .*\n.*webhooks\.0\.later is unknown$/,
    );
  });
});

test('a deep link that was stored before a rule is shown, and can be changed', async () => {
  const { id } = app.app;
  const { settings } = await service.database.prisma.app.findUniqueOrThrow({ where: { id } });
  const stored = { ...(settings as object), deep_link: 'orchard://in?code=a' };
  await service.database.prisma.app.update({ where: { id }, data: { settings: stored } });
  expect(await foyer(on('pull'))).toMatchObject({ code: 0, stderr: '' });
  edit((text) => text.replace('orchard://in?code=a', 'orchard://in'));
  expect((await foyer(on('apply'))).lines).toEqual([
    'settings',
    '  ~ deep_link: null → orchard://in',
    'Changed settings.',
  ]);
});

describe('over HTTP', () => {
  const remote = () => ({
    env: { FOYER_APP_KEY: app.app.appKey, FOYER_SECRET_KEY: app.secretKey },
  });
  const apiKeys = () => ({ 'X-App-Key': app.app.appKey, Authorization: `Bearer ${app.secretKey}` });

  test('the same files are read and applied', async () => {
    const local = await newFolder();
    await foyer(on('pull', app, local));
    const { code } = await foyer([...on('pull'), '--url', service.url], remote());
    expect(code).toBe(0);
    expect(filesIn(folder)).toEqual(filesIn(local));
    edit((text) => text.replace('sign_up: open', 'sign_up: closed'));
    const applied = await foyer([...on('apply'), '--url', `${service.url}/api/v2`], remote());
    expect(applied.lines).toEqual(['settings', '  ~ sign_up: open → closed', 'Changed settings.']);
  });

  test('a key applies what it may change, and is refused the rest with the reason of the service', async () => {
    const contoso = { kind: 'oidc' as const, name: 'Contoso', issuer: 'https://login.example.com' };
    const more = { client_ids: ['orchard-web'], trusts_email: false };
    await service.changeSettings({ providers: { contoso: { ...contoso, ...more } } }, app);
    const scopes = 'settings:manage,config:read,data:manage,webhooks:manage';
    const key = await foyer([
      'keys',
      'create',
      app.app.slug,
      '--name',
      'files',
      '--scopes',
      scopes,
      '--json',
    ]);
    const env = { ...remote().env, FOYER_SECRET_KEY: JSON.parse(key.lines.join('')).secret_key };
    const url = ['--url', service.url];
    expect(await foyer([...on('pull'), ...url], { env })).toMatchObject({ code: 0, stderr: '' });
    // The provider, which this key must not change, is not sent with the rest.
    edit((text) => text.replace('refuse_common_passwords: false', 'refuse_common_passwords: true'));
    expect((await foyer([...on('apply'), ...url], { env })).lines).toEqual([
      'settings',
      '  ~ refuse_common_passwords: false → true',
      'Changed settings.',
    ]);
    edit((text) => text.replace('sign_up: open', 'sign_up: closed'));
    const { code, stderr } = await foyer([...on('apply'), ...url], { env });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^foyer: settings was not changed: \S.*scope/);
  });

  test.each<[string, (response: ServerResponse) => void]>([
    ['the connection ends', (response) => void response.destroy()],
    ['a proxy answers', (response) => void response.writeHead(504).end('<html></html>')],
    [
      'the service does not know',
      (response) =>
        void response.writeHead(503).end('{"error":{"code":"request/unavailable","message":"Try again."}}'),
    ],
  ])('a change is not reported as one that was not made where %s', async (_what, answer) => {
    const proxy = createServer(async (req, res) => {
      const body = await text(req);
      const headers = { ...apiKeys(), 'Content-Type': 'application/json' };
      const { method = '' } = req;
      const answered = await fetch(service.url + req.url, { method, headers, ...(body && { body }) });
      expect(answered.status).toBe(200);
      if (method === 'PUT') answer(res);
      else res.end(await answered.text());
    });
    const url = await listening(proxy);
    await foyer(on('pull'));
    edit((text) => text.replace('webhooks: []', 'webhooks:\n  - url: https://93.184.215.14/in'));
    const { code, lines, stderr } = await foyer([...on('apply'), '--url', url], remote());
    expect([code, lines]).toEqual([1, ['webhooks', '  + https://93.184.215.14/in']]);
    expect(stderr).toMatch(
      /^foyer: it is not known whether webhooks was changed: .*`foyer diff`, and rotate the/,
    );
    expect((await foyer(on('diff'))).lines).toEqual(['Nothing differs.']);
  });

  test.each<[string, string | null, string]>([
    ['no service', null, 'there is no answer from '],
    ['another service', '<html></html>', 'is no service of Foyer of this version (status 200)'],
    [
      'a service of another version',
      '{"data":{"version":1}}',
      'is no service of Foyer of this version (status 200)',
    ],
  ])('%s at the URL is reported', async (_what, body, message) => {
    const url = await answering(body);
    const { code, stderr } = await foyer([...on('pull'), '--url', url], remote());
    expect([code, readdirSync(folder)]).toEqual([1, []]);
    expect(stderr).toContain(message);
    expect(stderr).toContain(`${url}/api/v2/admin/app-files`);
  });

  test.each([
    [300, 'redirects to'],
    [399, 'redirects to'],
    [400, 'is no service of Foyer of this version (status 400)'],
  ])('of an answer %i with a location, pull says: %s', async (status, part) => {
    const url = await answering('', status);
    const { code, stderr } = await foyer([...on('pull'), '--url', url], remote());
    expect([code, stderr]).toEqual([1, expect.stringContaining(part)]);
  });

  test('a redirect is reported with where it leads, and the reason if there is no answer', async () => {
    const asked: string[] = [];
    const server = createServer((req, res) => {
      asked.push(`${req.url}`);
      res.writeHead(301, { Location: '/elsewhere' }).end();
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const pulled = () => foyer([...on('pull'), '--url', url], remote());
    expect((await pulled()).stderr).toContain(
      '/api/v2/admin/app-files redirects to "/elsewhere", which does not receive the keys',
    );
    expect(asked).toEqual(['/api/v2/admin/app-files']);
    await new Promise((closed) => server.close(closed));
    expect((await pulled()).stderr).toMatch(/there is no answer from \S+ \(.*ECONNREFUSED.*\)\n$/);
  });

  test.each([
    '../outside.md',
    'mails/../../outside.md',
    'mails/de/../../../outside.md',
    '/outside.md',
    'mails/de\\reset.md',
    '.git/hooks/post-checkout',
    'mails/de/.md',
  ])('a service cannot have pull write to %j', async (path) => {
    const { json } = await service.call('GET', '/admin/app-files', {
      ...{ appKey: app.app.appKey, token: app.secretKey },
    });
    json.data.files.push({ path, text: 'x' });
    const url = await answering(JSON.stringify(json));
    const place = join(folder, 'inner');
    const { code, stderr } = await foyer([...on('pull', app, place), '--url', url], remote());
    expect([code, Object.keys(filesIn(folder))]).toEqual([1, []]);
    expect(stderr).toContain(JSON.stringify(path));
  });

  test.each<[string, () => [string[], Given], string]>([
    ['no keys', () => [['--url', service.url], {}], 'FOYER_APP_KEY is not set'],
    [
      'the app of other keys',
      () => [['--url', service.url], { env: otherKeys() }],
      'the keys belong to the app',
    ],
    ['clear text', () => [['--url', 'http://example.com'], remote()], '--url must be an https URL'],
    [
      'a wrong key',
      () => [['--url', service.url], { env: { ...remote().env, FOYER_SECRET_KEY: 'sk_x' } }],
      'secret key',
    ],
  ])('%s is refused', async (_what, given, message) => {
    const [words, surroundings] = given();
    const { code, stderr } = await foyer([...on('pull'), ...words], surroundings);
    expect(code).toBe(1);
    expect(stderr).toContain(message);
  });
});

/** The URL of a server that gives this answer to each request, or none. */
async function answering(body: string | null, status = 200): Promise<string> {
  return listening(
    createServer((_req, res) =>
      body === null ? res.destroy() : res.writeHead(status, { Location: '/elsewhere' }).end(body),
    ),
  );
}

async function listening(server: Server): Promise<string> {
  await new Promise<void>((listens) => server.listen(0, '127.0.0.1', listens));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The keys of the first app of the service. */
function otherKeys(): NodeJS.ProcessEnv {
  return { FOYER_APP_KEY: service.app.app.appKey, FOYER_SECRET_KEY: service.app.secretKey };
}

test('the schema accepts what pull writes, and no unknown key', async () => {
  const { lines } = await foyer(['schema']);
  await foyer(on('pull'));
  const ajv = new Ajv({ strict: false, validateFormats: false });
  const validate = ajv.compile(JSON.parse(lines.join('\n')));
  const content = parse(readFileSync(join(folder, 'app.yaml'), 'utf8'));
  expect([validate(content), validate.errors]).toEqual([true, null]);
  expect(validate({ settings: { sign_upp: 'open' } })).toBe(false);
});
