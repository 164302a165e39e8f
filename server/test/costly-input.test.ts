// The most expensive requests that anyone can send: for every string, query and body of both contracts, inputs that
// make naive code do much work for few bytes. None may block the event loop.
import { Agent } from 'node:http';
import { credentialsOf, hasBody, hasForm, limits, metadataOf, v1Contract } from '@foyer/contract';
import { type AppRoute, isAppRoute } from '@ts-rest/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { NewApp } from '../src/apps/create-app.js';
import { send } from './bad-input.js';
import { type ContractRoute, contractRoutes, pathOf } from './contract-routes.js';
import { baitBodies, baitHeaders, baitTexts, bodyOf, textPlaces } from './costly-input.js';
import { type KnownRows, knownRows } from './known-rows.js';
import { providerScenario } from './provider-scenario.js';
import { shared } from './shared.js';

const maxMilliseconds = 50;

const providers = shared(providerScenario);
let rows: KnownRows;
let settled: NewApp;
let v1Token: string;
const agent = new Agent({ keepAlive: true });
beforeAll(async () => {
  const { service } = providers;
  settled = await service.newApp();
  rows = knownRows(providers, settled);
  const user = await service.signUp();
  const { json } = await service.call('POST', '/login', { version: 'v1', body: user });
  v1Token = json.data.token;
});
afterAll(() => agent.destroy());

const v1Routes: ContractRoute[] = Object.entries(v1Contract.accounts).flatMap(([name, route]) =>
  isAppRoute(route) ? [{ id: `v1.${name}`, route }] : [],
);

type Sent = { path: string; headers: [string, string][]; body: Buffer | null };

/** With the strongest credential that the route takes, so that as much as possible is parsed. */
async function callsOf({ id, route }: ContractRoute) {
  const { service } = providers;
  const v1 = id.startsWith('v1.');
  // A query over stored data costs more than its parsing.
  await service.database.prisma.record.deleteMany();
  const user = await rows.user();
  const { auth } = metadataOf(route);
  const { user: asUser, secretKey, member: asMember } = credentialsOf(auth);
  const app = auth === 'admin' || auth === 'member' ? settled : service.app;
  const member = await rows.member();
  const ofUser = v1 ? v1Token : user.tokens.access_token;
  const token = secretKey ? app.secretKey : asMember ? member.token : ofUser;
  const params = v1 ? {} : await rows.params({ id, route }, user);
  const headers: [string, string][] = [
    ['X-App-Key', auth.startsWith('console') ? member.appKey : app.app.appKey],
  ];
  if (asUser || secretKey || asMember) headers.push(['Authorization', `Bearer ${token}`]);
  const prefix = v1 ? '/api/v1' : '/api/v2';
  const to = (more: Partial<Sent> & { params?: Record<string, string> }): Sent => ({
    path: `${prefix}${pathOf(route, { ...params, ...more.params })}${more.path ?? ''}`,
    headers: [
      ...headers.filter(([name]) => !more.headers?.some(([other]) => other === name)),
      ...(more.headers ?? []),
    ],
    body: more.body ?? null,
  });
  return { to };
}

/** The CPU time of the whole process during the work. */
async function cpuMilliseconds(work: () => Promise<void> | void): Promise<number> {
  const began = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1_000;
}

const numbers = Array.from({ length: 100_000 }, (_, at) => (at * 7_919) % 100_003);

/**
 * The current bar: on a shared processor the same work counts more time. Sorting the numbers takes 15 to 20 ms on an
 * idle machine.
 */
async function barNow(): Promise<number> {
  const reference = await cpuMilliseconds(() => void numbers.toSorted((a, b) => a - b));
  return Math.max(maxMilliseconds, 2.5 * reference);
}

/** What a call costs, this client and the database included: the minimum of several tries; and the bar for it. */
async function costOf(method: string, sent: Sent): Promise<{ cost: number; bar: number }> {
  const { port } = providers.service.listening;
  let least = { cost: Number.POSITIVE_INFINITY, bar: 1 };
  for (let tries = 0; tries < 8 && least.cost > least.bar; tries += 1) {
    const cost = await cpuMilliseconds(async () => {
      const { status, text } = await send({ port, agent }, { method, ...sent });
      // Bodies that are too large are refused unread.
      expect(status === 431 || (status === 413 && !text.includes('push/payload-too-large'))).toBe(false);
    });
    const bar = cost > maxMilliseconds ? await barNow() : maxMilliseconds;
    if (cost / bar < least.cost / least.bar) least = { cost, bar };
  }
  return least;
}

async function expectCheap(route: AppRoute, named: [string, Sent][]): Promise<void> {
  const costly: string[] = [];
  for (const [name, sent] of named) {
    const { cost, bar } = await costOf(route.method, sent);
    if (process.env.SHOW_COSTS) console.log(`${Math.round(cost)} ms ${route.method} ${route.path} ${name}`);
    if (cost > bar) costly.push(`${name}: ${Math.round(cost)} ms, more than ${Math.round(bar)}`);
  }
  expect(costly).toEqual([]);
}

const json: [string, string] = ['Content-Type', 'application/json'];
const all = [...contractRoutes, ...v1Routes];

const refused = new Set<unknown>();
/** A text that its schema refuses for its length costs the same on every route: each such schema is tested once. */
function untestedPlaces(schema: z.ZodType) {
  const places = textPlaces(schema).filter(({ text }) => !refused.has(text));
  for (const { text } of places) {
    if (text && !z.safeParse(text, 'x'.repeat(limits.bodyBytes)).success) refused.add(text);
  }
  return places.map(({ place }) => place);
}

describe('no body is expensive', () => {
  test.each(all.filter(({ route }) => hasBody(route)).map((each) => [each.id, each] as const))(
    '%s',
    async (_, each) => {
      const { route } = each;
      const { to } = await callsOf(each);
      const schema = (route as unknown as { body: z.ZodType }).body;
      const metadata = metadataOf(route);
      const { bodyBytes: bytes = limits.bodyBytes, bodyValues: values = limits.bodyValues } = metadata;
      const { bodyKeys: keys = values } = metadata;
      const named: [string, Sent][] = baitBodies({ bytes, values, keys }, schema).map(([name, text]) => [
        name,
        to({ headers: [json], body: Buffer.from(text) }),
      ]);
      for (const place of untestedPlaces(schema)) {
        for (const [name, text] of baitTexts(limits.bodyBytes - 4_000)) {
          const body = Buffer.from(JSON.stringify(bodyOf(schema, place, text)));
          named.push([`${place.join('.')}: ${name}`, to({ headers: [json], body })]);
        }
      }
      await expectCheap(route, named);
    },
  );
});

/** A URL is short, so the other inputs cost little in it. */
const inAddresses = ['accents out of order', 'white space', 'many dots'];

type Parameter = { each: ContractRoute; part: 'pathParams' | 'query'; key: string };
/** Each schema of a parameter, with the first route that takes it. */
const parameters = new Map<unknown, Parameter>();
for (const each of all) {
  for (const part of ['pathParams', 'query'] as const) {
    const schema = each.route[part];
    for (const [key, value] of Object.entries(schema instanceof z.ZodObject ? schema.shape : {})) {
      if (!parameters.has(value)) parameters.set(value, { each, part, key });
    }
  }
}

/** Without a valid body: what a query finds costs more than its parsing. */
async function addressOf(each: ContractRoute) {
  const { to } = await callsOf(each);
  const body = hasBody(each.route) ? Buffer.from('[]') : null;
  return (more: Parameters<typeof to>[0]) => to({ headers: body ? [json] : [], body, ...more });
}

describe('no path or query is expensive', () => {
  const named = [...parameters.values()].map((one) => [one.each.id, one.key, one] as const);
  test.each(named)('%s with a costly %s', async (_id, key, { each, part }) => {
    const to = await addressOf(each);
    const texts = baitTexts(1_800).filter(([name]) => inAddresses.includes(name));
    const sent = texts.map(([name, text]): [string, Sent] => {
      const bait = encodeURIComponent(text)
        .slice(0, 12_000)
        .replace(/%[^%]?$/, '');
      return [name, to(part === 'query' ? { path: `?${key}=${bait}` } : { params: { [key]: bait } })];
    });
    await expectCheap(each.route, sent);
  });

  const ids = ['sessions.list', 'users.list', 'data.query', 'v1.get'];
  test.each(all.filter(({ id }) => ids.includes(id)).map((each) => [each.id, each] as const))(
    '%s with a costly query',
    async (_id, each) => {
      const to = await addressOf(each);
      await expectCheap(each.route, [
        ['a repeated key', to({ path: `?${'a=a&'.repeat(3_000)}` })],
        ['nested keys', to({ path: `?${'a[b]'.repeat(2_000)}=1` })],
        ['many keys', to({ path: `?${Array.from({ length: 1_500 }, (_, at) => `k${at}=`).join('&')}` })],
        ['bad escapes', to({ path: `?a=${'%zz'.repeat(3_000)}` })],
      ]);
    },
  );
});

describe('no header is expensive', () => {
  const ids = [
    'signIn.withPassword',
    'profile.get',
    'users.create',
    'data.replace',
    'v1.get',
    'remoteConfig.get',
  ];
  test.each(all.filter(({ id }) => ids.includes(id)).map((each) => [each.id, each] as const))(
    '%s',
    async (_, each) => {
      const { to } = await callsOf(each);
      const body = hasBody(each.route)
        ? Buffer.from(JSON.stringify({ email: 'a@b.cd', password: 'x' }))
        : null;
      await expectCheap(
        each.route,
        baitHeaders.map(([name, value]) => [
          `${name}: ${value.slice(0, 20)}`,
          to({ headers: [...(body && name !== 'Content-Type' ? [json] : []), [name, value]], body }),
        ]),
      );
    },
  );
});

test('no form is expensive', async () => {
  const each = all.find(({ route }) => hasForm(route)) as ContractRoute;
  const { to } = await callsOf(each);
  const part = (head: string, content: string) =>
    `--frame\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`;
  const forms: [string, string][] = [
    ['many fields', part('name="a"', 'b').repeat(3_000)],
    ['many boundaries', '--frame\r\n'.repeat(10_000)],
    ['almost boundaries', part('name="file"; filename="a"', '\r\n--fram'.repeat(12_000))],
    ['many headers', `--frame\r\n${'a: b\r\n'.repeat(10_000)}\r\n`],
    ...baitTexts(15_000).flatMap(([name, text]): [string, string][] => [
      [`file name: ${name}`, part(`name="file"; filename="${text}"`, 'x')],
      [`visibility: ${name}`, part('name="visibility"', text)],
    ]),
  ];
  await expectCheap(
    each.route,
    forms.map(([name, text]) => [
      name,
      to({
        headers: [['Content-Type', 'multipart/form-data; boundary=frame']],
        body: Buffer.from(`${text}--frame--\r\n`),
      }),
    ]),
  );
});
