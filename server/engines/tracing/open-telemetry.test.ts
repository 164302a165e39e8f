import { text } from 'node:stream/consumers';
import { trace } from '@opentelemetry/api';
import { type ExportResult, ExportResultCode } from '@opentelemetry/core';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { localServer } from '../../test/local-server.js';
import { loggedExporter, openTelemetry } from './open-telemetry.js';

test('a receiver that is unreachable is logged once, and once more if it is again after it was reachable', () => {
  const lines: string[] = [];
  const results: ExportResult[] = [];
  let result: ExportResult;
  const exporter = loggedExporter(
    { export: (_spans, done) => done(result), shutdown: async () => {} },
    pino({ base: null }, { write: (line) => lines.push(line) }),
  );
  const loggedAfter = (next: ExportResult) => {
    result = next;
    exporter.export([], (reported) => results.push(reported));
    return lines.length;
  };
  const failed = { code: ExportResultCode.FAILED, error: new Error('connect ECONNREFUSED') };
  const succeeded = { code: ExportResultCode.SUCCESS };
  expect([failed, failed, failed, succeeded, failed].map(loggedAfter)).toEqual([1, 1, 1, 1, 2]);
  expect(lines[0]).toContain('connect ECONNREFUSED');
  expect(results).toEqual([failed, failed, failed, succeeded, failed]);
});

test('a failed call, statement or request has a failed span that names the kind of error and not its message', async () => {
  const bodies: string[] = [];
  const { origin, stop } = await localServer(async (req, res) => {
    bodies.push(await text(req));
    res.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  onTestFinished(stop);
  const options = { url: `${origin}/v1/traces`, headers: {}, serviceName: 'test', ratio: 1 };
  const tracing = openTelemetry(options, pino({ level: 'silent' }));
  const refused = Object.assign(new Error('ada@example.com is taken'), { code: 'P2002' });
  await expect(tracing.call('send', {}, () => Promise.reject(refused))).rejects.toBe(refused);
  expect(await tracing.call('fetch', {}, async () => 'an answer')).toBe('an answer');
  tracing.startStatement('SELECT 1')();
  tracing.startStatement('INSERT INTO users VALUES (1)')(new TypeError('ada@example.com'));
  tracing.startRequest('GET', {}).end('GET /me', {}, false);
  tracing.startRequest('POST', {}).end('POST /me', {}, true);
  await tracing.close();
  type Span = { name: string; status: { code?: number }; attributes: { key: string; value: object }[] };
  const spans: Span[] = bodies.flatMap((body) =>
    JSON.parse(body).resourceSpans.flatMap(({ scopeSpans }: { scopeSpans: { spans: Span[] }[] }) =>
      scopeSpans.flatMap((scope) => scope.spans),
    ),
  );
  const typeOf = ({ attributes }: Span) => attributes.find(({ key }) => key === 'error.type')?.value;
  const failed = 2;
  expect(spans.map((span) => [span.name, span.status.code === failed, typeOf(span)])).toEqual([
    ['send', true, { stringValue: 'P2002' }],
    ['fetch', false, undefined],
    ['SELECT', false, undefined],
    ['INSERT users', true, { stringValue: 'TypeError' }],
    ['GET /me', false, undefined],
    ['POST /me', true, undefined],
  ]);
  expect(bodies.join()).not.toContain('ada@example.com');
});

test('a stop does not wait for a receiver that does not answer, says so, and leaves no context behind', async () => {
  const { origin, stop } = await localServer(() => {});
  onTestFinished(stop);
  const lines: string[] = [];
  const logger = pino({ base: null }, { write: (line) => lines.push(line) });
  const options = { url: `${origin}/v1/traces`, headers: {}, serviceName: 'test', ratio: 1 };
  const tracing = openTelemetry(options, logger);
  const request = tracing.startRequest('GET', {});
  request.end('GET /me', {}, false);
  const isTraced = () => request.run(() => trace.getActiveSpan() !== undefined);
  expect(isTraced()).toBe(true);
  const startedAt = performance.now();
  await tracing.close();
  expect(performance.now() - startedAt).toBeLessThan(8_000);
  expect(lines).toEqual([expect.stringContaining('the last traces were not exported')]);
  expect(isTraced()).toBe(false);
});
