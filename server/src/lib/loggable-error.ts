// The loggable part of an error. Databases quote rows in details and hints, Prisma the arguments of a call, parsers their input;
// so only type, codes, stack, and messages that quote no values are logged.

export type LoggableError = {
  type: string;
  code?: string | undefined;
  message?: string | undefined;
  /** The constraint, from the error fields of the database. */
  constraint?: string | undefined;
  table?: string | undefined;
  stack?: string | undefined;
  causes?: (LoggableError | string)[];
};

const deepest = 5;
const quotingTypes = new Set([
  'DriverAdapterError',
  'PrismaClientKnownRequestError',
  'PrismaClientUnknownRequestError',
  'PrismaClientValidationError',
  'SyntaxError',
]);
/** SQLSTATE classes whose messages quote values: data exceptions, and errors raised by functions. */
const quotingCodes = /^(22|P0)/;

/** Strings come from our own code; of other non-errors only the type is logged. */
export function loggableError(error: unknown, depth = 0): LoggableError | string {
  if (typeof error === 'string') return error;
  if (typeof error !== 'object' || error === null) return typeof error;
  const given = error as Record<string, unknown>;
  const type = textOf(given.name) ?? 'object';
  const code = textOf(given.code) ?? textOf(given.originalCode);
  const quotes = quotingTypes.has(type) || quotingCodes.test(code ?? '');
  const causes = depth < deepest ? causesOf(given).map((cause) => loggableError(cause, depth + 1)) : [];
  return {
    type,
    code,
    message: quotes ? undefined : (textOf(given.message) ?? textOf(given.originalMessage)),
    constraint: textOf(given.constraint),
    table: textOf(given.table),
    // The first lines of a stack are the message.
    stack: textOf(given.stack)
      ?.match(/^ {4}at .*$/gm)
      ?.join('\n'),
    ...(causes.length > 0 && { causes }),
  };
}

function causesOf({ cause, errors, meta }: Record<string, unknown>): unknown[] {
  const adapter = (meta as { driverAdapterError?: unknown } | undefined)?.driverAdapterError;
  return [cause, adapter, ...(Array.isArray(errors) ? errors : [])].filter((each) => each !== undefined);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
