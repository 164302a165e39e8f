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

/** Entries that wait while the disk is full; later ones are dropped. */
const maxWaitingBytes = 1_024 * 1_024;

/** A descriptor that cannot be written, as on a full disk, loses entries and does not end the process. */
export function logDestination(descriptor: number): ReturnType<typeof pino.destination> {
  const destination = pino.destination({ dest: descriptor, maxLength: maxWaitingBytes });
  destination.on('error', () => {});
  return destination;
}

export function jsonLogger(level: string, destination: DestinationStream = logDestination(1)): Logger {
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
