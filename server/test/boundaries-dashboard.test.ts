// The architecture of the dashboard as rules: pages know shared pieces, never the reverse, and one file calls the API.
import { describe, expect, test } from 'vitest';
import { cycleIn, type SourceFile, sourcesOf, withoutComments } from './import-graph.js';

const dashboard = sourcesOf('dashboard/src');
const paths = new Set(dashboard.map(({ path }) => path));

function breaches(forbidden: (from: SourceFile, to: string) => boolean): string[] {
  return dashboard.flatMap((from) =>
    from.imports.filter(({ to }) => forbidden(from, to)).map(({ to }) => `${from.path} -> ${to}`),
  );
}

function uses(pattern: RegExp): string[] {
  return dashboard.filter(({ text }) => pattern.test(withoutComments(text))).map(({ path }) => path);
}

/** The page that a file belongs to, such as `users`; null outside pages. */
function pageOf(path: string): string | null {
  return /^dashboard\/src\/pages\/([^/.]+)/.exec(path)?.[1] ?? null;
}

/** They choose the page to show: the start, before the dashboard is loaded, and the routes. */
const choosers = ['start', 'router', 'app-routes'].map((name) => `dashboard/src/${name}.tsx`);

describe('inside the dashboard', () => {
  test('the reader of imports finds every file', () => {
    expect(dashboard.length).toBeGreaterThan(20);
    const lost = breaches((_, to) => to.startsWith('dashboard/') && !to.endsWith('.css') && !paths.has(to));
    expect(lost).toEqual([]);
    expect(cycleIn(dashboard)).toBeNull();
  });

  test('it imports the contract and the SDK, and no other workspace', () => {
    const ours = breaches(
      (_, to) => /^@foyer\//.test(to) && !/^@foyer\/(contract|sdk(\/console)?)$/.test(to),
    );
    expect(ours).toEqual([]);
    expect(breaches((_, to) => /^(contract|prisma|server|openapi|sdk|examples)\//.test(to))).toEqual([]);
  });

  test('shared pieces know nothing of pages, and a page nothing of another', () => {
    const page = breaches(
      ({ path }, to) => pageOf(to) !== null && pageOf(to) !== pageOf(path) && !choosers.includes(path),
    );
    expect(page).toEqual([]);
    const chooser = breaches(({ path }, to) => to === choosers[0] && path !== 'dashboard/src/main.ts');
    expect(chooser).toEqual([]);
    const shell = /^dashboard\/src\/(components|[^/]+\.ts$)/;
    expect(breaches(({ path }, to) => shell.test(path) && to.startsWith('dashboard/src/shell/'))).toEqual([]);
  });

  test('only api.ts calls the API; the other calls are the health of the service and the own session', () => {
    expect(
      uses(/\bfetch\(|authorizedFetch\(|XMLHttpRequest|sendBeacon|new (WebSocket|EventSource)\b/),
    ).toEqual(['dashboard/src/api.ts', 'dashboard/src/reachability.ts']);
    // The second one is text for developers to copy.
    expect(uses(/createClient\(/)).toEqual([
      'dashboard/src/client.ts',
      'dashboard/src/pages/quick-start/snippets.ts',
    ]);
  });

  const mailFrame = 'dashboard/src/pages/settings/mail-frame.tsx';

  test('text of users is never interpreted as HTML or script', () => {
    expect(
      uses(/dangerouslySetInnerHTML|\.(inner|outer)HTML|insertAdjacentHTML|document\.write|\beval\(|srcDoc/),
    ).toEqual([mailFrame]);
    // The preview of a mail: a frame without scripts, and with another origin than the page.
    expect(dashboard.find(({ path }) => path === mailFrame)?.text).toContain('sandbox=""');
  });

  test('each file opens with a comment that describes it, and none exceeds 250 lines', () => {
    const silent = dashboard.filter(({ text }) => !/^(\/\/|\/\*)/.test(text));
    expect(silent.map(({ path }) => path)).toEqual([]);
    expect(dashboard.filter(({ text }) => text.split('\n').length > 251).map(({ path }) => path)).toEqual([]);
  });
});
