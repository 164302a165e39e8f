import { ROOT_CONTEXT, SpanKind, TraceFlags, trace } from '@opentelemetry/api';
import { SamplingDecision } from '@opentelemetry/sdk-trace-base';
import { expect, test } from 'vitest';
import { traceSampler } from './trace-sampler.js';

const { NOT_RECORD, RECORD_AND_SAMPLED } = SamplingDecision;

/** The decisions on spans whose parent has the flags. */
function decisions(ratio: number, traceFlags: TraceFlags, isRemote: boolean): Set<SamplingDecision> {
  const traceId = '00000000000000000000000000000001';
  const parent = { traceId, spanId: 'b7ad6b7169203331', traceFlags, isRemote };
  const context = trace.setSpanContext(ROOT_CONTEXT, parent);
  const sampler = traceSampler(ratio);
  const decide = () => sampler.shouldSample(context, traceId, 'GET', SpanKind.SERVER, {}, []).decision;
  return new Set(Array.from({ length: 200 }, decide));
}

test('a client cannot choose a trace id that is always recorded', () => {
  expect(decisions(0.5, TraceFlags.SAMPLED, true)).toEqual(new Set([NOT_RECORD, RECORD_AND_SAMPLED]));
});

test.each([
  ['the children of a recorded span are recorded', 0, TraceFlags.SAMPLED, false, RECORD_AND_SAMPLED],
  ['the children of a span that is not recorded are not', 1, TraceFlags.NONE, false, NOT_RECORD],
  ['a caller that records nothing is not recorded', 1, TraceFlags.NONE, true, NOT_RECORD],
  ['with a share of 1 every other caller is recorded', 1, TraceFlags.SAMPLED, true, RECORD_AND_SAMPLED],
  ['with a share of 0 no caller is recorded', 0, TraceFlags.SAMPLED, true, NOT_RECORD],
])('%s', (_name, ratio, flags, isRemote, decision) => {
  expect(decisions(ratio, flags, isRemote)).toEqual(new Set([decision]));
});
