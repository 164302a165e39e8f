// What a refusal may hold of a request with thousands of faults.
import { errorCatalogue } from '@foyer/contract';
import { expect, test } from 'vitest';
import { ApiError } from './api-error.js';

const fieldsOf = (fields: Record<string, string[]>) =>
  new ApiError('request/validation-failed', { fields }).fields;

test.each([
  [300, 'n'.repeat(300)],
  [301, `${'n'.repeat(300)}…`],
])('a field name of %d characters', (length, shown) => {
  expect(Object.keys(fieldsOf({ ['n'.repeat(length)]: [] }))).toEqual([shown]);
});

test.each([
  [1_000, 's'.repeat(1_000)],
  [1_001, `${'s'.repeat(1_000)}…`],
])('a sentence of %d characters', (length, shown) => {
  expect(fieldsOf({ name: ['s'.repeat(length)] })).toEqual({ name: [shown] });
});

test('at most 100 fields, and 10 sentences of each', () => {
  const names = Array.from({ length: 101 }, (_, place) => `name${place}`);
  const fields = fieldsOf(Object.fromEntries(names.map((name) => [name, Array(11).fill('is wrong')])));
  expect(Object.keys(fields)).toEqual(names.slice(0, 100));
  expect(Object.values(fields).every(({ length }) => length === 10)).toBe(true);
});

test('a refusal has the name, the sentence and the status of its code, and the details that it is given', () => {
  const details = {
    ...{ fields: { code: ['is wrong'] }, headers: { Allow: 'GET' } },
    ...{ auditDetails: { reason: 'expired' }, cause: 'for the log' },
  };
  const { name, message, code, status, fields, headers, auditDetails, cause } = new ApiError(
    'auth/invalid-code',
    details,
  );
  const catalogued = errorCatalogue['auth/invalid-code'];
  expect({ name, message, code, status, fields, headers, auditDetails, cause }).toEqual({
    ...{ name: 'ApiError', message: catalogued.message },
    ...{ code: 'auth/invalid-code', status: catalogued.status },
    ...details,
  });
});

test.each([
  [0, '1'],
  [1, '1'],
  [1.01, '2'],
])('a client that is to wait %d seconds is told %s', (retryAfterSeconds, told) => {
  expect(new ApiError('request/unavailable', { retryAfterSeconds }).headers).toEqual({ 'Retry-After': told });
});
