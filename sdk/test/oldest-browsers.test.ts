// The oldest browsers of runtimes.md: none of them runs here. So the build is compared with their syntax, and used in a Chromium
// from which everything that is younger has been removed.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BrowserPages, browserPages, inBrowser, withoutBrowser } from './browser-page.js';

const runtimes = new URL('../docs/runtimes.md', import.meta.url);

/** What one of these browsers does not have. `runtimes.md` says what happens without locks, channels and `navigator.storage`. */
const younger = `
  Array.fromAsync Array.prototype.at Array.prototype.findLast Array.prototype.findLastIndex Array.prototype.toReversed
  Array.prototype.toSorted Array.prototype.toSpliced Array.prototype.with Uint8Array.fromBase64 Uint8Array.prototype.toBase64
  String.prototype.at String.prototype.isWellFormed String.prototype.toWellFormed Object.hasOwn Object.groupBy Map.groupBy
  Promise.withResolvers Promise.try Set.prototype.union Iterator WeakRef FinalizationRegistry structuredClone
  Error.captureStackTrace AbortSignal.abort AbortSignal.timeout AbortSignal.any AbortSignal.prototype.reason
  AbortSignal.prototype.throwIfAborted Crypto.prototype.randomUUID URL.canParse URL.parse Response.json
  Headers.prototype.getSetCookie Blob.prototype.stream Blob.prototype.bytes Response.prototype.bytes CompressionStream
  Navigator.prototype.locks Navigator.prototype.storage BroadcastChannel scheduler cookieStore
`
  .trim()
  .split(/\s+/);

test('the build has no syntax that the oldest browsers of the page lack', async () => {
  const [, names] = /^(Chrome and Edge [^,]+, Firefox [^,]+, Safari [\d.]+)/m.exec(
    await readFile(runtimes, 'utf8'),
  )!;
  const target = [...names!.matchAll(/(Chrome|Firefox|Safari)\D*([\d.]+)/g)].map(
    ([, name, version]) => `${name!.toLowerCase()}${version}`,
  );
  expect(target).toHaveLength(3);
  const compiledFor = async (browsers: string[] | string) => {
    const entryPoints = ['index', 'storage/index', 'react/index', 'webhooks'].map((entry) =>
      fileURLToPath(new URL(`../src/${entry}.ts`, import.meta.url)),
    );
    // As in build.mjs, and once more for the browsers: nothing is left to translate.
    const options = { write: false, outdir: '.', format: 'esm' } as const;
    const bundled = { entryPoints, bundle: true, external: ['react'], target: 'es2021' };
    const { outputFiles } = await build({ ...options, ...bundled });
    // esbuild translates every `?.` for Chrome before 91, which is wrong about one form only: a spread in the call.
    const supported = { 'optional-chain': true };
    for (const { text } of outputFiles) expect(text).not.toMatch(/\?\.[^\s(]*\(\.\.\./);
    const translated = await Promise.all(
      outputFiles.map(({ text }) =>
        build({ ...options, stdin: { contents: text }, target: browsers, supported }),
      ),
    );
    return translated.map((each) => each.outputFiles[0]!.text);
  };
  expect(await compiledFor(target)).toEqual(await compiledFor('esnext'));
});

describe.skipIf(withoutBrowser)(inBrowser('without everything that the oldest browsers lack'), () => {
  let pages: BrowserPages;
  beforeAll(async () => {
    pages = await browserPages();
  });
  afterAll(() => pages.close());

  test('a user signs up, reads lists and config, is restored by a reload, and signs out', async () => {
    const context = await pages.profile();
    await context.addInitScript((paths: string[]) => {
      for (const path of paths) {
        const parts = path.split('.');
        const name = parts.pop()!;
        const owner = parts.reduce(
          (each, part) => each?.[part] as never,
          globalThis as Record<string, unknown>,
        );
        if (owner) delete owner[name];
      }
    }, younger);
    const page = await pages.open(context);
    const left = await page.evaluate(
      (paths) =>
        paths.filter((path) => {
          const parts = path.split('.');
          const name = parts.pop()!;
          const owner = parts.reduce(
            (each, part) => each?.[part] as never,
            globalThis as never as Record<string, object>,
          );
          return owner && name in owner;
        }),
      younger,
    );
    expect(left).toEqual([]);
    const account = { email: 'old@example.com', password: 'correct horse' };
    const seen = await page.evaluate(async (given) => {
      await client.auth.signUp(given);
      await client.auth.getAccessToken({ forceRefresh: true });
      const devices = [];
      for await (const { current } of client.me.sessions()) devices.push(current);
      const { raw, sha256 } = await foyer.createNonce();
      const color = await foyer.remoteConfig(client).value('color', 'green');
      const aborting = new AbortController();
      aborting.abort();
      const aborted = await client.me.get({ signal: aborting.signal }).catch(({ code }) => code);
      return [devices, raw.length > 20, sha256.length, color, aborted];
    }, account);
    expect(seen).toEqual([[true], true, 64, 'green', 'client/aborted']);
    await page.reload();
    const restored = await page.evaluate(async () => {
      const { email } = await client.me.get();
      const { remote } = await client.auth.signOut();
      return [email, remote, client.auth.state.status];
    });
    expect(restored).toEqual([account.email, true, 'signedOut']);
  });
});
