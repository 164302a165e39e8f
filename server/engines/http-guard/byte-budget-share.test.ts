// What the byte budget counts, and how it is divided between networks.
import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import type { CountedRequest } from './byte-budget.js';
import { byteBudget, defaultBudgetBytes } from './byte-budget.js';

const mebibyte = 1_024 * 1_024;

/** A request from an IP address; both its connection and its response stay open. */
function requestFrom(ip: string): CountedRequest {
  const socket = Object.assign(new EventEmitter(), { destroyed: false });
  const res = Object.assign(new EventEmitter(), { closed: false });
  return { ip, socket, res, headers: {} } as unknown as CountedRequest;
}

/** Reserves pieces for new requests of one network until one is refused; returns the bytes it got. */
function exhaust(budget: ReturnType<typeof byteBudget>, ip: string, piece: number): number {
  for (let held = 0; ; held += piece) {
    try {
      budget.reserve(requestFrom(ip), piece);
    } catch (error) {
      expect(error).toMatchObject({ code: 'request/unavailable' });
      return held;
    }
  }
}

test.each([
  [16_384, 0],
  [16_385, 16_385],
])('a request or an answer of %d bytes counts %d', (bytes, counted) => {
  const budget = byteBudget(256 * mebibyte);
  budget.settle(requestFrom('203.0.113.1'), bytes);
  expect(budget.heldBytes).toBe(counted);
});

test('a single network can use a quarter', () => {
  const budget = byteBudget(256 * mebibyte);
  expect(exhaust(budget, '203.0.113.1', mebibyte)).toBe(64 * mebibyte);
});

test('four networks that took all they could leave every other one a thirteenth', () => {
  const budget = byteBudget(256 * mebibyte);
  for (let place = 0; place < 4; place += 1) exhaust(budget, `203.0.113.${place}`, mebibyte / 4);
  expect(exhaust(budget, '198.51.100.1', mebibyte / 4)).toBeGreaterThanOrEqual(20 * mebibyte);
});

test('sixteen networks that grow together leave every other one a twenty-fifth', () => {
  const budget = byteBudget(256 * mebibyte);
  for (let round = 0; round < 64; round += 1) {
    for (let place = 0; place < 16; place += 1) {
      try {
        budget.reserve(requestFrom(`203.0.113.${place}`), mebibyte);
      } catch {
        // It has all it can get.
      }
    }
  }
  expect(exhaust(budget, '198.51.100.1', mebibyte / 4)).toBeGreaterThanOrEqual(10 * mebibyte);
});

test.each([
  ['/56', (place: number) => `2001:db8:0:${place.toString(16)}::1`, 85],
  ['/48', (place: number) => `2001:db8:0:${(place * 256).toString(16)}::1`, 128],
])('the many networks of one %s leave the others their share', (_, ip, most) => {
  const budget = byteBudget(256 * mebibyte);
  let held = 0;
  for (let place = 0; place < 200; place += 1) held += exhaust(budget, ip(place), mebibyte);
  expect(held).toBe(most * mebibyte);
  expect(exhaust(budget, '198.51.100.1', mebibyte)).toBeGreaterThanOrEqual(32 * mebibyte);
});

test.each([
  [64, 16],
  [256, 16],
  [512, 32],
  [4_096, 256],
])('of a heap of %i MiB, large bodies and answers may take %i MiB', (heap, budget) => {
  expect(defaultBudgetBytes(heap * mebibyte)).toBe(budget * mebibyte);
});

test('what a network has released it may hold again', () => {
  const budget = byteBudget(256 * mebibyte);
  const first = requestFrom('203.0.113.1');
  budget.reserve(first, 60 * mebibyte);
  first.res?.emit('close');
  expect(budget.heldBytes).toBe(0);
  expect(exhaust(budget, '203.0.113.1', mebibyte)).toBe(64 * mebibyte);
});
