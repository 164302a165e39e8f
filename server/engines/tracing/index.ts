// The door of the engine: traces of requests, statements and calls to others. README.md says what it promises.
export { tracedCalls } from './traced-calls.js';
export type { RequestSpan, Tracing, TracingOptions } from './tracing.js';

/** Loaded only where traces are exported: its packages are optional. */
export const loadOpenTelemetry = () => import('./open-telemetry.js');
