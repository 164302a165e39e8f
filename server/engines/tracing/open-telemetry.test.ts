import { type ExportResult, ExportResultCode } from '@opentelemetry/core';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { loggedExporter } from './open-telemetry.js';

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
