// One JSON line an entry. What could be secret is kept out where lines are made; redaction here is the second fence.
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
