// The files of docs/deployment.md name what exists: workspaces, environment variables, metrics.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readConfig } from '../src/env.js';
import { processMetrics } from '../src/lib/metrics.js';

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map((match) => match[1]);

test('the Dockerfile installs every workspace', () => {
  const { workspaces } = JSON.parse(read('package.json')) as { workspaces: string[] };
  expect(all(read('Dockerfile'), /^COPY (\w+)\/package\.json \1\/$/gm).sort()).toEqual(workspaces.sort());
});

test.each([
  [undefined, 3000],
  ['', 3000],
  [' ', 3000],
  ['8080', 8080],
  [' 8080\r', 8080],
])('the image asks for its health at the port of the service, with PORT %j', (PORT, port) => {
  const [command] = all(read('Dockerfile'), /^HEALTHCHECK .*\\\n {2}CMD (\[.+\])$/gm);
  const [program, option, script] = JSON.parse(command as string) as [string, string, string];
  expect([program, option]).toEqual(['node', '-e']);
  const shown = `globalThis.fetch = async (url) => ({ ok: console.log(url) === undefined });${script}`;
  const env = { ...process.env, PORT };
  expect(execFileSync(process.execPath, ['-e', shown], { env, encoding: 'utf8' })).toBe(
    `http://127.0.0.1:${port}/healthz\n`,
  );
  expect(readConfig({ PORT }).port).toBe(port);
});

test('the image has the optional packages of the service, and what they need', () => {
  type Package = Record<'dependencies' | 'optionalDependencies' | 'peerDependencies', Record<string, string>>;
  const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, Package> };
  const needed = new Set(Object.keys(packages.server?.optionalDependencies ?? {}));
  expect(needed.size).toBeGreaterThan(1);
  for (const name of needed) {
    const found = packages[`node_modules/${name}`];
    for (const kind of ['dependencies', 'optionalDependencies', 'peerDependencies'] as const)
      for (const other of Object.keys(found?.[kind] ?? {})) needed.add(other);
  }
  const copied = all(
    read('Dockerfile'),
    /^COPY --from=build \/foyer\/node_modules\/(\S+) node_modules\/\1$/gm,
  );
  expect([...new Set([...needed].map((name) => name.split('/')[0]))].sort()).toEqual(copied.sort());
});

test.each(['compose.yaml', 'docs/deployment/kubernetes.yaml'])(
  '%s sets variables of .env.example',
  (file) => {
    const known = all(read('.env.example'), /^#?([A-Z0-9_]+)=/gm);
    const set = all(read(file), /^ +([A-Z0-9_]+): /gm).filter((name) => !name?.startsWith('POSTGRES_'));
    expect(set.length).toBeGreaterThan(4);
    expect(known).toEqual(expect.arrayContaining(set));
  },
);

test('compose.yaml passes on what docs/deployment.md asks for with a proxy, and gives a stop its time', () => {
  const compose = read('compose.yaml');
  const passedOn = all(compose, /^ +([A-Z_]+): \$\{\1:/gm);
  expect(passedOn).toEqual(
    expect.arrayContaining(['BASE_URL', 'TRUST_PROXY', 'ENCRYPTION_KEYS', 'SMTP_URL', 'MAIL_FROM']),
  );
  const [inCluster] = all(
    read('docs/deployment/kubernetes.yaml'),
    /^ +terminationGracePeriodSeconds: (\d+)$/gm,
  );
  expect(all(compose, /^ {4}stop_grace_period: (\d+)s$/gm)).toEqual([inCluster]);
});

test.each(['alerts.yaml', 'grafana.json'])('%s uses metrics that the service has', async (file) => {
  const metrics = await processMetrics();
  metrics.gauge('foyer_password_queue', 'Set by the service.', () => 0);
  metrics.observe('GET /me', 200, 1);
  const names = all(read(`docs/deployment/${file}`), /(foyer_\w+)/g);
  expect(names.length).toBeGreaterThan(4);
  const { body } = await metrics.text();
  for (const name of names) expect(body).toMatch(new RegExp(`^${name}[{ ]`, 'm'));
});

test('every panel of the Grafana dashboard has a query, and asks the data source that is chosen there', () => {
  const { panels, templating } = JSON.parse(read('docs/deployment/grafana.json'));
  expect(panels.length).toBeGreaterThan(5);
  for (const panel of panels) {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the variable of Grafana.
    expect(panel.datasource.uid).toBe('${datasource}');
    for (const { expr } of panel.targets) expect(expr).toContain('foyer_');
  }
  expect(templating.list[0]).toMatchObject({ name: 'datasource', query: 'prometheus' });
  expect(new Set(panels.map(({ id }: { id: number }) => id)).size).toBe(panels.length);
});
