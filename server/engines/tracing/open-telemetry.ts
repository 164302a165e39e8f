// Tracing by OpenTelemetry, exported by OTLP over HTTP. Imported only if an endpoint is set: the libraries take 15 MB of memory
// and a third of a second.
import { setTimeout } from 'node:timers/promises';
import { type Context, context, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { type ExportResult, ExportResultCode, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base';
import type { Logger } from '../../src/lib/logger.js';
import { statementName } from './statement-name.js';
import { traceSampler } from './trace-sampler.js';
import type { Tracing, TracingOptions } from './tracing.js';

/** How long a stop waits for the last spans to be sent. */
const closeMilliseconds = 2_000;

const propagator = new W3CTraceContextPropagator();
const getter = {
  keys: (headers: object) => Object.keys(headers),
  get: (headers: Record<string, string | string[] | undefined>, name: string) => headers[name],
};

export function openTelemetry(options: TracingOptions, logger: Logger): Tracing {
  const { url, headers, serviceName, ratio } = options;
  const exporter = loggedExporter(new OTLPTraceExporter({ url, headers }), logger);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName }),
    sampler: traceSampler(ratio),
    spanProcessors: [new BatchSpanProcessor(exporter)],
  });
  const tracer = provider.getTracer('foyer');

  return {
    startRequest(method, requestHeaders) {
      const parent = propagator.extract(context.active(), requestHeaders, getter);
      const span = tracer.startSpan(method, { kind: SpanKind.SERVER }, parent);
      const within: Context = trace.setSpan(parent, span);
      return {
        run: (work) => context.with(within, work),
        end(name, attributes, failed) {
          span.updateName(name);
          span.setAttributes(attributes);
          if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
          span.end();
        },
      };
    },
    call(name, attributes, work) {
      return tracer.startActiveSpan(name, { kind: SpanKind.CLIENT, attributes }, async (span) => {
        try {
          return await work();
        } catch (error) {
          fail(span, error);
          throw error;
        } finally {
          span.end();
        }
      });
    },
    startStatement(sql) {
      const name = statementName(sql);
      const attributes = { 'db.system.name': 'postgresql', 'db.query.summary': name };
      const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes });
      return (error) => {
        if (error) fail(span, error);
        span.end();
      };
    },
    async close() {
      // A failure was logged by the exporter.
      const ended = provider.shutdown().then(
        () => true,
        () => true,
      );
      const isInTime = await Promise.race([ended, setTimeout(closeMilliseconds, false, { ref: false })]);
      context.disable();
      if (!isInTime)
        logger.warn('the last traces were not exported: the receiver did not accept them in time');
    },
  };
}

/** Omits the message, which may contain values. */
function fail(span: Span, error: unknown): void {
  const { name, code } = (error ?? {}) as { name?: string; code?: string };
  span.setAttribute('error.type', String(code ?? name ?? 'error'));
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** Logs the first of consecutive failures; the service goes on without the spans. */
export function loggedExporter(exporter: SpanExporter, logger: Logger): SpanExporter {
  let isFailing = false;
  function note({ code, error }: ExportResult): void {
    const failed = code !== ExportResultCode.SUCCESS;
    if (failed && !isFailing) logger.warn({ err: error }, 'traces could not be exported');
    isFailing = failed;
  }
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        note(result);
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
  };
}
