// One JSON line per entry. Callers must not log secrets; redaction is the second line of defence.
import { type DestinationStream, type Logger, pino } from 'pino';
import { loggableError } from './loggable-error.js';

export type { Logger };

const secretNames = [
  'authorization',
  'password',
  'passwordHash',
  'refresh_token',
  'refreshToken',
  'access_token',
  'accessToken',
  'secret_key',
  'secretKey',
  'token',
  'email',
];

export function jsonLogger(level: string, destination: DestinationStream = pino.destination(1)): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      serializers: { err: loggableError },
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: secretNames.flatMap((name) => [name, `*.${name}`]), censor: '[redacted]' },
    },
    destination,
  );
}
