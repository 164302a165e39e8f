// HTTP of the versions of the remote config: editing under If-Match, validation, history and rollback.
import type { ConfigVersion } from '@foyer/contract';
import { beforeEach, describe, expect, test } from 'vitest';
import { testOnServer, untilBlocked } from '../../test/blocked.js';
import { type Answer, statementLog, testService } from '../../test/harness.js';
import { expectRefusal } from '../../test/refusal.js';
import { shared } from '../../test/shared.js';
import { inFull } from '../../test/thorough.js';
import type { NewApp } from '../apps/create-app.js';
import { lockAppOf } from '../model/app.js';

const statements = statementLog();
const service = shared(() => testService({ onStatement: statements.onStatement }));
let app: NewApp;
beforeEach(async () => {
  app = await service.newApp();
});

// biome-ignore lint/suspicious/noExplicitAny: tests reach into answers of every shape.
type Came = Answer<any>;
type Overrides = { body?: unknown; headers?: Record<string, string>; token?: string };
const call = (method: string, path: string, overrides: Overrides = {}): Promise<Came> =>
  service.call(method, path, { appKey: app.app.appKey, token: app.secretKey, ...overrides });
const current = () => call('GET', '/admin/config');
const tagNow = async () => (await current()).headers.get('etag') as string;
const put = (parameters: unknown, ifMatch: string | null = '*', query = '') =>
  call('PUT', `/admin/config${query}`, {
    body: { parameters },
    headers: ifMatch === null ? {} : { 'if-match': ifMatch },
  });
const banner = (value: string) => ({ banner: { type: 'string', value, description: 'On top.' } });

test('the config is returned with types, real JSON, descriptions, author and time', async () => {
  const first = await current();
  expect(first.data).toMatchObject({ version: 1, updated_by: 'system' });
  expect(first.data.parameters.meta_ads).toEqual({ type: 'json', value: {}, description: '' });
  service.clock.advance(1_000);
  const parameters = {
    cards: { type: 'json', value: [{ id: 1, x: null }], description: 'Cards' },
    rate: { type: 'number', value: 0.5 },
  };
  const answer = await put(parameters, first.headers.get('etag'));
  expect(answer.status).toBe(200);
  expect(answer.data).toEqual({
    version: 2,
    note: null,
    parameters: { ...parameters, rate: { type: 'number', value: 0.5, description: '' } },
    updated_at: `${service.clock.now().toISOString().slice(0, -1)}000Z`,
    updated_by: expect.stringMatching(/^secret_key:[0-9A-Z]{26}$/),
  });
  const now = await current();
  expect(now.data).toEqual(answer.data);
  expect(now.headers.get('etag')).toBe(answer.headers.get('etag'));
  expect(now.headers.get('cache-control')).toBe('no-store');
});

describe('If-Match', () => {
  test('is required', async () => {
    expectRefusal(await put({}, null), 'request/precondition-required');
    expect((await current()).data.version).toBe(1);
  });

  test('with another tag, or none, is answered 412, and nothing is written', async () => {
    const tag = await tagNow();
    const other = tag.replace('1', '9');
    for (const header of [other, `W/${other}`, other.replace(/"$/, '-gzip"'), '1', '']) {
      expectRefusal(await put({}, header), 'config/version-conflict');
    }
    expect((await current()).data.version).toBe(1);
  });

  test('with the tag, also that of GET /config, allows the change', async () => {
    expect((await put({}, await tagNow())).status).toBe(200);
    expect((await put({}, (await call('GET', '/config')).headers.get('etag'))).data.version).toBe(3);
  });

  const editors = ['Ada', 'Grace', 'Mary', 'Hedy', 'Radia'];

  test('with one tag, sent by five concurrent editors, allows one write', async () => {
    const tag = await tagNow();
    const answers = await Promise.all(editors.map((editor) => put(banner(editor), tag)));
    const landed = answers.filter(({ status }) => status === 200);
    expect(landed).toHaveLength(1);
    for (const answer of answers) if (answer.status !== 200) expectRefusal(answer, 'config/version-conflict');
    expect((await current()).data).toEqual(landed[0]?.data);
    expect((await call('GET', '/admin/config/versions')).data.items).toHaveLength(2);
  });

  test('with *, sent by five concurrent editors, allows all writes in sequence', async () => {
    const answers = await Promise.all(editors.map((editor) => put(banner(editor))));
    expect(answers.map(({ data }) => data.version).sort()).toEqual([2, 3, 4, 5, 6]);
  });

  // An instance reads one large body of an app at a time.
  testOnServer('with one tag, sent to two instances that wait for each other, allows one write', async () => {
    const other = await service.secondInstance();
    const headers = { 'if-match': await tagNow() };
    const { waiting } = await service.deps.prisma.$transaction(async (tx) => {
      await tx.$executeRaw(lockAppOf(app.app.id));
      const waiting = [service, other].map((instance, editor) => {
        const body = { parameters: banner(`${editor}`) };
        const { appKey } = app.app;
        return instance.call('PUT', '/admin/config', { appKey, token: app.secretKey, headers, body });
      });
      await untilBlocked(service.database, 2, 'apps');
      return { waiting };
    });
    const answers = await Promise.all(waiting);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412]);
    await other.stop();
  });
});

describe('validate_only', () => {
  const only = '?validate_only=true';

  test('answers as the change would with the current tag, and writes nothing, so that the change can follow', async () => {
    const tag = await tagNow();
    const audited = await service.deps.prisma.auditLog.count();
    const tried = await put(banner('new'), tag, only);
    expect([tried.status, tried.data.version]).toEqual([200, 2]);
    expect((await current()).data.version).toBe(1);
    expect(await service.deps.prisma.auditLog.count()).toBe(audited);
    expect((await put(banner('new'), '*', only)).headers.get('etag')).toBe(tag);
    expect(tried.headers.get('etag')).toBe(tag);
    const done = await put(banner('new'), tag);
    expect(done.data).toEqual(tried.data);
    expect(done.headers.get('etag')).toBe(await tagNow());
  });

  test('refuses as the change would', async () => {
    expectRefusal(await put({}, null, only), 'request/precondition-required');
    expectRefusal(await put({}, '"0"', only), 'config/version-conflict');
    expectRefusal(await put({ 'a-b': banner('x').banner }, '*', only), 'config/invalid-parameter', null);
  });

  test('is true or false, and misspelt is refused with nothing published', async () => {
    expectRefusal(await put({}, '*', '?validateOnly=true'), 'request/validation-failed', {
      query: ['has an unknown key: "validateOnly"'],
    });
    expectRefusal(await put({}, '*', '?validate_only=1'), 'request/validation-failed', {
      validate_only: [expect.any(String)],
    });
    expect((await put({}, '*', '?validate_only=false')).data.version).toBe(2);
  });
});

describe('an invalid set of parameters', () => {
  test('is answered config/invalid-parameter with every invalid parameter, and nothing is written', async () => {
    const answer = await put({
      fine: { type: 'boolean', value: true },
      '1st': { type: 'string', value: '' },
      list: { type: 'json', value: 'text' },
      count: { type: 'number', value: '1' },
    });
    expectRefusal(answer, 'config/invalid-parameter', {
      'parameters.1st': [expect.any(String)],
      'parameters.list.value': ['must be an object or a list'],
      'parameters.count.value': ['must be a number'],
    });
    expect((await current()).data.version).toBe(1);
  });

  const putBody = (body: unknown) => call('PUT', '/admin/config', { body, headers: { 'if-match': '*' } });

  test('with a number that cannot be stored exactly is refused and not rounded', async () => {
    for (const value of ['9007199254740993', '-9007199254740993', '1e999', '-0', '[9007199254740993]']) {
      const type = value.startsWith('[') ? 'json' : 'number';
      const answer = await putBody(`{"parameters":{"x":{"type":"${type}","value":${value}}}}`);
      expectRefusal(answer, 'config/invalid-parameter', { 'parameters.x.value': [expect.any(String)] });
    }
  });

  test('with unknown keys, or without a required one, is answered request/validation-failed', async () => {
    const description = 'x'.repeat(1_001);
    for (const [body, field] of [
      [{ parameters: {}, version: 3 }, 'body'],
      [{ parameters: { x: { ...banner('').banner, typ: 1 } } }, 'parameters.x'],
      [{ parameters: { x: { value: 1 } } }, 'parameters.x.type'],
      [{ parameters: { x: { type: 'json' } } }, 'parameters.x.value'],
      [{ parameters: { x: { type: 'JSON', value: {} } } }, 'parameters.x.type'],
      [{ parameters: { x: { type: 'number', value: 1, description } } }, 'parameters.x.description'],
      [{ parameters: [] }, 'parameters'],
      [{}, 'parameters'],
      // Refused, and not lost.
      ['{"parameters":{"__proto__":{"type":"number","value":1}}}', 'parameters.__proto__'],
    ] as const) {
      expectRefusal(await putBody(body), 'request/validation-failed', { [field]: [expect.any(String)] });
    }
  });
});

test('a body of 1 MiB is read, here and nowhere else, and one byte more is refused', async () => {
  const bodyOf = (bytes: number) => {
    const body = JSON.stringify({ parameters: { x: { type: 'json', value: ['y'] } } });
    return `${body}${' '.repeat(bytes - body.length)}`;
  };
  const headers = { 'if-match': '*' };
  const most = 1_048_576;
  expect(most).toBe(1_048_576);
  expect((await call('PUT', '/admin/config', { body: bodyOf(most), headers })).status).toBe(200);
  expectRefusal(await call('PUT', '/admin/config', { body: bodyOf(most + 1), headers }), 'request/too-large');
  expectRefusal(
    await call('PATCH', '/admin/settings', { body: `{}${' '.repeat(102_400)}` }),
    'request/too-large',
  );
});

test('a config of maximum size is written, read and rolled back to', async () => {
  const parameters = { x: { type: 'json', value: ['ü'.repeat(999_995 / 2 - 0.5)] } };
  expect(Buffer.byteLength(JSON.stringify({ parameters }))).toBeLessThan(1_048_576);
  expect((await put(parameters)).status).toBe(200);
  const ascii = { x: { type: 'string', value: 'y'.repeat(999_999) } };
  expect((await put(ascii)).status).toBe(200);
  expect((await call('GET', '/config')).data.x).toHaveLength(999_999);
  const larger = await put({ x: { type: 'string', value: 'y'.repeat(1_000_000) } });
  const parametersField = { parameters: [expect.stringContaining('1,000,000')] };
  expectRefusal(larger, 'config/invalid-parameter', parametersField);
  expect((await call('POST', '/admin/config/rollback', { body: { version: 2 } })).data.version).toBe(4);
});

describe('the history', () => {
  test('has every version as it was written, newest first, page by page, while versions are added', async () => {
    const second = await put(banner('2'));
    for (let version = 3; version <= 6; version += 1) await put(banner(`${version}`));
    const seen: { version: number }[] = [];
    let cursor: string | null = null;
    do {
      const page: Came = await call(
        'GET',
        `/admin/config/versions?limit=2${cursor === null ? '' : `&cursor=${cursor}`}`,
      );
      seen.push(...page.data.items);
      cursor = page.data.next_cursor;
      await put(banner('added meanwhile'));
    } while (cursor !== null);
    expect(seen.map(({ version }) => version)).toEqual([6, 5, 4, 3, 2, 1]);
    const { parameters: _, ...row } = second.data;
    const changed = { changed_names: expect.arrayContaining(['banner', 'tiers']), changed_count: 10 };
    expect(seen.at(-2)).toEqual({ ...row, ...changed, rolled_back_to: null });
    expect((await call('GET', '/admin/config/versions/2')).data).toEqual(second.data);
  });

  test('has the note of each publication and the names of what it changed, of at most 20', async () => {
    const publish = (parameters: object, note?: string) =>
      call('PUT', '/admin/config', {
        body: { parameters, ...(note !== undefined && { note }) },
        headers: { 'if-match': '*' },
      });
    const many = Object.fromEntries(
      Array.from({ length: 21 }, (_, place) => [`p${10 + place}`, { type: 'number', value: place }]),
    );
    await publish(banner('1'));
    expect((await publish({ ...banner('1'), ...many }, ' Summer\nprices ')).data.note).toBe('Summer\nprices');
    await publish({ ...banner('2'), ...many }, '');
    await call('POST', '/admin/config/rollback', { body: { version: 2 } });
    const { items } = (await call('GET', '/admin/config/versions')).data;
    expect(items.map(({ note, changed_count }: ConfigVersion) => [note, changed_count])).toEqual([
      [null, 22],
      [null, 1],
      ['Summer\nprices', 21],
      [null, 10],
      [null, null],
    ]);
    expect(items[1].changed_names).toEqual(['banner']);
    expect(items[2].changed_names).toEqual(Object.keys(many).slice(0, 20));
    expect(items[4].changed_names).toEqual([]);
    expectRefusal(await publish({}, 'x'.repeat(501)), 'request/validation-failed', {
      note: [expect.any(String)],
    });
  });

  test('has versions from 1 on, in decimal digits', async () => {
    for (const version of ['0', '-1', '1.5', 'x', '2147483648', '1e400', '1e0', '0x1', '01', '+1', '%201']) {
      expectRefusal(await call('GET', `/admin/config/versions/${version}`), 'request/validation-failed', {
        version: [expect.any(String)],
      });
    }
  });

  test('refuses a cursor that it did not issue', async () => {
    for (const cursor of ['x', Buffer.from('["0"]').toString('base64url')]) {
      const answer = await call('GET', `/admin/config/versions?cursor=${cursor}`);
      expectRefusal(answer, 'request/validation-failed', { cursor: [expect.any(String)] });
    }
  });

  test('has the last 300 versions', async () => {
    const row = await service.deps.prisma.configVersion.findFirstOrThrow({ where: { appId: app.app.id } });
    const data = Array.from({ length: 298 }, (_, place) => ({ ...row, version: place + 2 }));
    await service.deps.prisma.configVersion.createMany({ data });
    expect((await put(banner('300'))).data.version).toBe(300);
    expect((await call('GET', '/admin/config/versions/1')).status).toBe(200);
    expect((await put(banner('301'))).data.version).toBe(301);
    expectRefusal(await call('GET', '/admin/config/versions/1'), 'config/version-not-found');
    expect((await call('GET', '/admin/config/versions/2')).status).toBe(200);
    expectRefusal(
      await call('POST', '/admin/config/rollback', { body: { version: 1 } }),
      'config/version-not-found',
    );
  });
});

describe('a rollback', () => {
  const rollback = (version: unknown, headers: Record<string, string> = {}) =>
    call('POST', '/admin/config/rollback', { body: { version }, headers });

  test('writes the earlier parameters as the next version', async () => {
    const second = await put(banner('second'));
    await put(banner('third'));
    const answer = await rollback(2);
    expect(answer.data).toMatchObject({ version: 4, parameters: second.data.parameters });
    expect((await call('GET', '/config')).data).toEqual({ banner: 'second' });
    const { items } = (await call('GET', '/admin/config/versions')).data;
    expect(items[0]).toMatchObject({ version: 4, rolled_back_to: 2 });
    expect(answer.headers.get('etag')).toBe(await tagNow());
    expect(answer.headers.get('etag')).not.toBe(second.headers.get('etag'));
  });

  test('to an unknown version is refused', async () => {
    expectRefusal(await rollback(2), 'config/version-not-found');
    for (const version of [0, 1.5, '1', null, 2 ** 31]) {
      expectRefusal(await rollback(version), 'request/validation-failed', { version: [expect.any(String)] });
    }
    expect((await current()).data.version).toBe(1);
  });

  test('with If-Match is refused after another change of the config', async () => {
    const tag = await tagNow();
    await put(banner('second'));
    expectRefusal(await rollback(1, { 'if-match': tag }), 'config/version-conflict');
    expect((await rollback(1, { 'if-match': await tagNow() })).data.version).toBe(3);
  });
});

describe('a rollback with an idempotency key', () => {
  const rollBack = (key: string) =>
    call('POST', '/admin/config/rollback', { body: { version: 1 }, headers: { 'idempotency-key': key } });

  test('concurrent requests roll back once and receive equal responses with the tag', async () => {
    await put(banner('two'));
    /** On a busy machine the first may run for longer than the others wait: those are refused and retry. */
    async function rolledBack(): Promise<Came> {
      const answer = await rollBack('fifty');
      return answer.code === 'request/idempotency-key-in-progress' ? rolledBack() : answer;
    }
    const answers = await Promise.all(Array.from({ length: inFull(50, 15) }, rolledBack));
    const told = answers.map(({ status, text, headers }) => `${status} ${text} ${headers.get('etag')}`);
    expect(new Set(told).size).toBe(1);
    expect([answers[0]?.status, answers[0]?.data.version]).toEqual([200, 3]);
    expect(answers[0]?.headers.get('etag')).toBe(await tagNow());
  });

  test('the response is stored in the same transaction, so that a crash leaves both or neither', async () => {
    const sent = await statements.during(() => rollBack('crash'));
    expect(sent.join('\n')).toMatch(
      /^BEGIN.*INSERT INTO "public"."config_versions".*UPDATE idempotency_keys SET answer.*^COMMIT/ms,
    );
  });
});

test('changes and rollbacks are audited, with the values before and after', async () => {
  await put(banner('a value of the team'));
  await call('POST', '/admin/config/rollback', { body: { version: 1 } });
  const rows = await service.auditEntries({ appId: app.app.id, target: 'config' });
  expect(rows).toMatchObject([
    { action: 'config.updated', target: 'config', details: { version: 2 } },
    { action: 'config.rolled_back', target: 'config', details: { version: 3, rolled_back_to: 1 } },
  ]);
  const text = 'a value of the team';
  const [put2, back] = rows.map(({ details }) => (details as { changes: Record<string, unknown> }).changes);
  expect(put2).toMatchObject({ banner: { from: null, to: expect.objectContaining({ value: text }) } });
  expect(back).toMatchObject({ banner: { from: expect.objectContaining({ value: text }), to: null } });
  expect(rows[0]?.actor).toMatch(/^secret_key:/);
});
