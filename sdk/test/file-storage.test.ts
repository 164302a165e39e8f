// fileStorage: who can read the files, what a killed process leaves behind, and the lock between processes.
import { AsyncLocalStorage } from 'node:async_hooks';
import { execFile } from 'node:child_process';
import * as fs from 'node:fs';
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { quickStart } from '../../server/test/quick-start.js';
import { thorough } from '../../server/test/thorough.js';
import type { TokenStorage } from '../src/session/storage.js';
import { acquire } from '../src/storage/file-lock.js';
import type { Files } from '../src/storage/file-system.js';
import { fileStorage } from '../src/storage/index.js';
import { newClient, refreshed, signedInClient, storageKey, useScriptedService } from './harness.js';

const service = useScriptedService();
const root = mkdtempSync(join(tmpdir(), 'foyer-files-'));
afterAll(() => rmSync(root, { recursive: true }));
let count = 0;
const newFolder = () => join(root, `${++count}`, 'nested');
const signal = new AbortController().signal;
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

describe('the files', () => {
  test('are readable by the user only, also where the process creates files for everyone', async () => {
    const mask = process.umask(0);
    onTestFinished(() => void process.umask(mask));
    const folder = newFolder();
    await signedInClient({ storage: fileStorage(folder) });
    // The sign-in does not wait until the lock is released.
    await expect.poll(() => readdirSync(folder)).toEqual([`${storageKey}.json`]);
    expect(modeOf(join(folder, `${storageKey}.json`))).toBe('600');
    expect(modeOf(folder)).toBe('700');
  });

  test('are refused when others can read them, and the session remains until the mode is corrected', async () => {
    const folder = newFolder();
    await signedInClient({ storage: fileStorage(folder) });
    const file = join(folder, `${storageKey}.json`);
    chmodSync(file, 0o640);
    await expect(fileStorage(folder).get(storageKey)).rejects.toThrow(`chmod 600`);
    const client = newClient({ storage: fileStorage(folder) });
    await expect(client.me.get()).rejects.toMatchObject({ code: 'client/storage-unavailable' });
    chmodSync(file, 0o600);
    expect((await client.me.get()).email).toBe('ada@example.com');
  });

  test('of writes that were killed do not remain after a sign-out', async () => {
    const folder = newFolder();
    const storage = fileStorage(folder);
    await storage.set('foyer.a', '1');
    writeFileSync(join(folder, 'foyer.a.json~killed'), 'token');
    writeFileSync(join(folder, 'foyer.ab.json'), 'of another');
    await storage.remove('foyer.a');
    expect(readdirSync(folder)).toEqual(['foyer.ab.json']);
  });

  test('of a write that fails do not remain', async () => {
    const folder = newFolder();
    const storage = fileStorage(folder);
    // A folder cannot be replaced by a file.
    await storage.set('foyer.b', '1');
    rmSync(join(folder, 'foyer.b.json'));
    await fileStorage(join(folder, 'foyer.b.json')).set('inside', '1');
    await expect(storage.set('foyer.b', '2')).rejects.toThrow();
    expect(readdirSync(folder)).toEqual(['foyer.b.json']);
  });

  describe('that Windows refuses to replace, read or remove while a virus scanner has them open', () => {
    const folder = newFolder();
    const held = (code: string) => Object.assign(new Error(`${code}: rename`), { code });

    /** The file system of Windows, whose operations fail as often as given. */
    function storageOnWindows(
      failures: Partial<Record<'rename' | 'open' | 'unlink', string[]>>,
    ): TokenStorage {
      const files = { ...fs.promises };
      for (const name of ['rename', 'open', 'unlink'] as const) {
        const real = files[name] as (...given: unknown[]) => Promise<unknown>;
        const fails = async (...given: unknown[]) => {
          const code = failures[name]?.shift();
          if (code) throw held(code);
          return real(...given);
        };
        Object.assign(files, { [name]: fails });
      }
      const getBuiltinModule = () => ({ ...fs, promises: files });
      vi.stubGlobal('process', { platform: 'win32', getBuiltinModule });
      try {
        return fileStorage(folder);
      } finally {
        vi.unstubAllGlobals();
      }
    }

    test('are tried again', async () => {
      const codes = () => ['EPERM', 'EACCES', 'EBUSY'];
      const storage = storageOnWindows({ rename: codes(), open: codes(), unlink: codes() });
      await storage.set('foyer.a', 'rotated');
      expect(await storage.get('foyer.a')).toBe('rotated');
      await storage.remove('foyer.a');
      expect(readdirSync(folder)).toEqual([]);
    });

    test('are given up after two seconds, with the cause, also where the clean-up fails', async () => {
      const storage = storageOnWindows({ rename: Array(1_000).fill('EBUSY'), unlink: ['EIO'] });
      const clock = clockOfItsOwn();
      let isDone = false;
      const writing = clock
        .run(async () => storage.set('foyer.a', '1'))
        .finally(() => {
          isDone = true;
        });
      const refused = expect(writing).rejects.toThrow('EBUSY: rename');
      await clock.pass(1_900, () => isDone);
      expect(isDone).toBe(false);
      await clock.pass(300, () => isDone);
      expect(isDone).toBe(true);
      await refused;
    });

    test('are not tried again after another error', async () => {
      const storage = storageOnWindows({ rename: ['ENOSPC'] });
      await expect(storage.set('foyer.a', '1')).rejects.toThrow('ENOSPC');
    });
  });

  test('have names of the allowed characters only: a key does not leave the folder', async () => {
    const storage = fileStorage(newFolder());
    for (const key of ['', '../a', 'a/b', 'a\\b', 'a\0']) {
      await expect(async () => storage.set(key, '1'), key).rejects.toThrow('Invalid key');
      await expect(async () => storage.get(key), key).rejects.toThrow('Invalid key');
    }
  });

  test('need Node: elsewhere the error says so', () => {
    const open = () => fileStorage('/tmp/x');
    // The test runner itself reads `process` as soon as it gets a turn.
    vi.stubGlobal('process', undefined);
    try {
      expect(open).toThrow('fileStorage requires Node 20.16 or newer.');
    } finally {
      vi.unstubAllGlobals();
    }
  });
});

describe('the lock', () => {
  /** How many refreshes started before another was answered, of six clients with storages of their own. */
  async function overlapsOf(storageIn: (folder: string) => TokenStorage): Promise<number> {
    const folder = newFolder();
    const first = await signedInClient({ storage: storageIn(folder) });
    const others = Array.from({ length: 5 }, () => newClient({ storage: storageIn(folder) }));
    const clients = [first, ...others];
    await Promise.all(clients.map((client) => client.auth.ready()));
    service.requests.length = 0;
    await Promise.all(clients.map((client) => refreshed(client)));
    const sent = service.sentRefreshTokens();
    return sent.length - new Set(sent).size;
  }

  test('lets no two processes send the same refresh token', async () => {
    expect(await overlapsOf(fileStorage)).toBe(0);
  });

  test('control: without it they do', async () => {
    const withoutLock = (folder: string): TokenStorage => {
      const { lock: _, ...storage } = fileStorage(folder);
      return storage;
    };
    expect(await overlapsOf(withoutLock)).toBeGreaterThan(0);
  });

  test('of a killed process is skipped after five seconds, and not before', async () => {
    const folder = newFolder();
    const storage = fileStorage(folder);
    await storage.set('foyer.a', '1');
    // What a killed holder leaves behind.
    const ticket = join(folder, 'foyer.a~killed');
    writeFileSync(ticket, '');
    const clock = clockOfItsOwn();
    let isDone = false;
    const waiting = clock
      .run(() => storage.lock!('foyer.a', async () => 'granted', { signal }))
      .finally(() => {
        isDone = true;
      });
    const pass = (ms: number) => clock.pass(ms, () => isDone);
    await pass(4_500);
    expect(isDone).toBe(false);
    // A holder that is alive.
    utimesSync(ticket, new Date(), new Date(Date.now() + 1_000));
    await pass(4_500);
    expect(isDone).toBe(false);
    // A clock that continued while the device, and with it the holder, slept.
    utimesSync(ticket, new Date(), new Date(Date.now() + 2_000));
    await pass(500);
    clock.jump(600_000);
    await pass(500);
    expect(isDone).toBe(false);
    // The rest of its five seconds: it has been seen unchanged for two, at most one of them while the device slept.
    await pass(2_500);
    expect(isDone).toBe(false);
    await pass(1_000);
    expect(isDone).toBe(true);
    await waiting;
    expect(readdirSync(folder)).toEqual(['foyer.a.json']);
  });

  test('is not taken by a caller that gave up while it wrote its file, which does not remain', async () => {
    const folder = mkdtempSync(join(root, 'lock-'));
    const given = new AbortController();
    const files = {
      ...fs.promises,
      async writeFile(...args: Parameters<typeof fs.promises.writeFile>) {
        await fs.promises.writeFile(...args);
        given.abort(new Error('too late'));
      },
    } as Files;
    await expect(acquire(files, folder, 'foyer.a', given.signal)).rejects.toThrow('too late');
    expect(readdirSync(folder)).toEqual([]);
  });

  test('is shown to be held each second', async () => {
    const folder = newFolder();
    const storage = fileStorage(folder);
    vi.useFakeTimers({ toFake: ['setInterval'] });
    const begun = vi.spyOn(globalThis, 'setInterval');
    onTestFinished(() => {
      begun.mockRestore();
      vi.useRealTimers();
    });
    await storage.lock!(
      'foyer.a',
      async () => {
        const [ticket] = readdirSync(folder);
        const path = join(folder, ticket!);
        expect(modeOf(path)).toBe('600');
        // A process with nothing else to do may end.
        expect(begun.mock.results.map(({ value }) => value.hasRef())).toEqual([false]);
        utimesSync(path, new Date(0), new Date(0));
        await vi.advanceTimersByTimeAsync(1_000);
        await expect.poll(() => statSync(path).mtimeMs).toBeGreaterThan(0);
      },
      { signal },
    );
    expect(readdirSync(folder)).toEqual([]);
  });
});

/**
 * Time that passes by hand for what `run` starts, and for nothing else: the timers of other files of this process continue. It
 * stands while the file system answers, which takes as long as it takes.
 */
function clockOfItsOwn() {
  const inside = new AsyncLocalStorage<true>();
  const real = { setTimeout, now: performance.now.bind(performance) };
  let now = 0;
  let next: { at: number; run: () => void } | undefined;
  const setTimer = (run: () => void, ms: number) => {
    if (!inside.getStore()) return real.setTimeout(run, ms);
    next = { at: now + ms, run };
  };
  vi.stubGlobal('setTimeout', setTimer);
  const performanceNow = vi.spyOn(performance, 'now');
  performanceNow.mockImplementation(() => (inside.getStore() ? now : real.now()));
  onTestFinished(() => {
    vi.unstubAllGlobals();
    performanceNow.mockRestore();
  });
  return {
    run: <T>(work: () => T) => inside.run(true, work),
    jump(ms: number) {
      now += ms;
    },
    async pass(ms: number, isDone: () => boolean) {
      const end = now + ms;
      for (;;) {
        while (!next && !isDone()) await new Promise((resolve) => setImmediate(resolve));
        if (!next || next.at > end) break;
        now = Math.max(now, next.at);
        const { run } = next;
        next = undefined;
        run();
      }
      now = end;
    },
  };
}

const program = (url: string) => `
  import { fileStorage } from '${url}';
  const [folder, rounds] = process.argv.slice(1);
  const storage = fileStorage(folder);
  const { signal } = new AbortController();
  for (let round = 0; round < rounds; round++) {
    await storage.lock('foyer.count', async () => {
      const count = Number(await storage.get('foyer.count'));
      await new Promise((resolve) => setTimeout(resolve, 2));
      await storage.set('foyer.count', String(count + 1));
    }, { signal });
  }
`;

test('processes that count under the lock lose no count', async () => {
  const [processes, rounds] = thorough ? [6, 40] : [3, 5];
  const folder = newFolder();
  const source = program(new URL('../dist/storage/index.js', import.meta.url).href);
  const run = () =>
    new Promise<void>((resolve, reject) => {
      const args = [...quickStart, '--input-type=module', '-e', source, folder, `${rounds}`];
      execFile(process.execPath, args, (error) => (error ? reject(error) : resolve()));
    });
  await Promise.all(Array.from({ length: processes }, run));
  expect(await fileStorage(folder).get('foyer.count')).toBe(`${processes * rounds}`);
});
