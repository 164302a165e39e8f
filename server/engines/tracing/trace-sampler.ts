// Decides which traces are recorded. Any client can send a traceparent with an id of its choice, so neither the id nor
// the flag makes a request recorded.
import {
  ParentBasedSampler,
  RandomIdGenerator,
  type Sampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base';

/** The children of a recorded span are recorded. The share applies to all other spans, except those whose caller records none. */
export function traceSampler(ratio: number): Sampler {
  const root = new TraceIdRatioBasedSampler(ratio);
  const ids = new RandomIdGenerator();
  const remoteParentSampled: Sampler = {
    shouldSample: (context) => root.shouldSample(context, ids.generateTraceId()),
    toString: () => `Random{${ratio}}`,
  };
  return new ParentBasedSampler({ root, remoteParentSampled });
}
