import { expect, test } from 'vitest';
import { loggableError } from './loggable-error.js';
import { jsonLogger } from './logger.js';

const secret = 'ada@example.com';

test('an error is logged with its type, message, code, stack and causes', () => {
  const cause = Object.assign(new TypeError('no such thing'), { code: 'ENOTHING' });
  const logged = loggableError(new Error('it failed', { cause }));
  expect(logged).toMatchObject({
    type: 'Error',
    message: 'it failed',
    stack: expect.stringMatching(/^ {4}at .*loggable-error\.test/),
    causes: [{ type: 'TypeError', message: 'no such thing', code: 'ENOTHING' }],
  });
});

test.each([
  [
    'a row in the detail or hint of a database error',
    Object.assign(new Error('violates check constraint "positive"'), {
      code: '23514',
      constraint: 'positive',
      table: 'users',
      detail: `Failing row contains (${secret})`,
      hint: secret,
      where: secret,
      internalQuery: secret,
    }),
    {
      code: '23514',
      constraint: 'positive',
      table: 'users',
      message: 'violates check constraint "positive"',
    },
  ],
  [
    'a value in the message of a data exception',
    Object.assign(new Error(`invalid input syntax for type integer: "${secret}"`), { code: '22P02' }),
    { code: '22P02', message: undefined },
  ],
  [
    'the words of a function in the database',
    Object.assign(new Error(`no: ${secret}`), { code: 'P0001' }),
    { code: 'P0001', message: undefined },
  ],
  [
    'the arguments that Prisma prints',
    Object.assign(new Error(`Invalid prisma.user.create({data: {email: "${secret}"}})`), {
      name: 'PrismaClientValidationError',
    }),
    { type: 'PrismaClientValidationError', message: undefined },
  ],
  [
    'what the adapter under Prisma knows',
    Object.assign(new Error(`Raw query failed. ${secret}`), {
      name: 'PrismaClientKnownRequestError',
      code: 'P2010',
      meta: {
        driverAdapterError: Object.assign(new Error(secret), {
          name: 'DriverAdapterError',
          cause: {
            originalCode: '23505',
            originalMessage: 'duplicate key',
            detail: secret,
            kind: 'postgres',
          },
        }),
      },
    }),
    {
      code: 'P2010',
      causes: [{ type: 'DriverAdapterError', causes: [{ code: '23505', message: 'duplicate key' }] }],
    },
  ],
  [
    'the text that a parser stumbled over',
    new SyntaxError(`Unexpected token 'a', "${secret}" is not valid JSON`),
    { type: 'SyntaxError', message: undefined },
  ],
  [
    'whatever else hangs on an error',
    Object.assign(new Error('x'), { request: { body: secret } }),
    { message: 'x' },
  ],
  ['what was thrown and is no error', { email: secret }, { type: 'object' }],
])('%s is not logged', (_, error, expected) => {
  expect(loggableError(error)).toMatchObject(expected);
  let line = '';
  const write = (text: string) => {
    line += text;
  };
  jsonLogger('info', { write }).error({ err: error }, 'failed');
  expect(line).not.toContain(secret);
  expect(JSON.parse(line)).toMatchObject({ level: 'error', msg: 'failed' });
});

test('each error of an AggregateError is logged, and a cyclic chain of causes is cut', () => {
  const both = new AggregateError([new Error('first'), new Error('second')], '');
  expect(loggableError(both)).toMatchObject({ causes: [{ message: 'first' }, { message: 'second' }] });
  const endless = new Error('round');
  endless.cause = endless;
  expect(JSON.stringify(loggableError(endless)).match(/round/g)).toHaveLength(6);
});

test('a thrown string is logged unchanged, and for any other value only its type', () => {
  expect(loggableError('the password queue is full')).toBe('the password queue is full');
  expect(loggableError(7)).toBe('number');
  expect(loggableError(undefined)).toBe('undefined');
  expect(loggableError(null)).toBe('object');
});
