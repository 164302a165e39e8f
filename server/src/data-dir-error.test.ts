// An unusable data directory is reported with instructions.
import { expect, test } from 'vitest';
import { dataDirError } from './data-dir-error.js';

const systemError = (code: string) =>
  Object.assign(new Error(`${code}: something, mkdir '/data'`), { code, syscall: 'mkdir' });

test.each([
  ['EACCES', 'may not write'],
  ['EPERM', 'may not write'],
  ['EROFS', 'read-only'],
  ['ENOSPC', 'disk is full'],
  ['ENOENT', 'no directory can be created there'],
  ['ENOTDIR', 'a file and not a directory'],
])('%s', (code, words) => {
  const { message } = dataDirError('/data', systemError(code)) as Error;
  expect(message).toContain(`the data directory /data cannot be used (${code}): `);
  expect(message).toContain(words);
});

test.each([[new Error('the directory is in use')], [systemError('EWHATEVER')], ['a word'], [undefined]])(
  '%s is returned unchanged',
  (error) => {
    expect(dataDirError('/data', error)).toBe(error);
  },
);
