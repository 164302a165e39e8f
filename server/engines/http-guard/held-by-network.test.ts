// The network that holds the most connections, by the width of the network.
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { networksOf } from '../../src/lib/ip-network.js';
import { heldByNetwork } from './held-by-network.js';

const hold = (held: ReturnType<typeof heldByNetwork>, ips: string[]) =>
  ips.map((ip) => held.hold(new Socket(), networksOf(ip)));
const each = (count: number, ip: (n: number) => string) => Array.from({ length: count }, (_, n) => ip(n));
const hex = (n: number) => n.toString(16);

test.each<[string, string[], string]>([
  ['an IPv4 address', [...each(3, () => '192.0.2.1'), ...each(2, () => '192.0.2.2')], '192.0.2.1'],
  ['a /64', [...each(3, (n) => `2001:db8::${n}`), ...each(2, () => '192.0.2.2')], '2001:db8:0:0'],
  [
    'a /56 with more than four times as many',
    [...each(13, (n) => `2001:db8:0:${hex(n)}::1`), ...each(3, () => '192.0.2.2')],
    '2001:db8:0:0/56',
  ],
  [
    'a /48 with more than sixteen times as many',
    [...each(49, (n) => `2001:db8:0:${hex(n * 256)}::1`), ...each(3, () => '192.0.2.2')],
    '2001:db8:0/48',
  ],
  [
    'not a /56 with four times as many',
    [...each(3, () => '192.0.2.2'), ...each(8, (n) => `2001:db8:0:${hex(n)}::1`)],
    '192.0.2.2',
  ],
])('%s has the most', (_, ips, name) => {
  const held = heldByNetwork();
  hold(held, ips);
  expect(held.most()?.name).toBe(name);
});

test('what is released is held no more, in any order', () => {
  const held = heldByNetwork();
  const many = hold(
    held,
    each(100, (n) => `2001:db8:${hex(n % 3)}:${hex(n)}::1`),
  );
  const [one] = hold(held, ['192.0.2.1']);
  one?.begin();
  for (const holding of many.reverse()) {
    holding.begin();
    holding.end();
    holding.release();
    holding.release();
  }
  expect(held.most()).toMatchObject({ name: '192.0.2.1', score: 1 });
  expect(held.anyIdle()).toBeUndefined();
  one?.end();
  expect(held.anyIdle()).toBeInstanceOf(Socket);
  one?.release();
  expect([held.most(), held.anyIdle()]).toEqual([undefined, undefined]);
});

test('a request that ends after its connection was released does not make it count again', () => {
  const [closed, open] = hold(heldByNetwork(), ['192.0.2.1', '192.0.2.1']);
  closed?.begin();
  closed?.release();
  closed?.end();
  expect([open?.beyond(0)?.name, open?.beyond(1)]).toEqual(['192.0.2.1', undefined]);
});

test('the narrowest network that has more than allowed is named', () => {
  const held = heldByNetwork();
  const last = hold(
    held,
    each(5, (n) => `2001:db8:0:${hex(n)}::1`),
  ).at(-1);
  expect(last?.beyond(5)).toBeUndefined();
  expect(last?.beyond(4)?.name).toBe('2001:db8:0:0/56');
  expect(last?.beyond(0)?.name).toBe('2001:db8:0:4');
});
