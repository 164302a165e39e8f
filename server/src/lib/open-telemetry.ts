// Tracing by OpenTelemetry, exported by OTLP over HTTP. Imported only if an endpoint is set: the libraries take 15 MB of memory
// and a third of a second.
import {
  type Context,
  context,
  DiagLogLevel,
  diag,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base';
import type { Logger } from './logger.js';
import { statementName } from './statement-name.js';
import type { Tracing, TracingOptions } from './tracing.js';

const propagator = new W3CTraceContextPropagator();
const getter = {
  keys: (headers: object) => Object.keys(headers),
  get: (headers: Record<string, string | string[] | undefined>, name: string) => headers[name],
};

export function openTelemetry(options: TracingOptions, logger: Logger): Tracing {
  const { url, headers, serviceName, ratio } = options;
  logFailures(logger);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const root = new TraceIdRatioBasedSampler(ratio);
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName }),
    // Any client can send a sampled traceparent: it does not change the share of recorded traces.
    sampler: new ParentBasedSampler({ root, remoteParentSampled: root }),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter({ url, headers }))],
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
    close: () => provider.shutdown(),
  };
}

/** Without the message, which may contain values. */
function fail(span: Span, error: unknown): void {
  const { name, code } = (error ?? {}) as { name?: string; code?: string };
  span.setAttribute('error.type', String(code ?? name ?? 'error'));
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** An unreachable receiver is logged once until it is reachable again; the service goes on without it. */
function logFailures(logger: Logger): void {
  const ignored = () => {};
  const error = (message: string) => logger.warn({ detail: message }, 'traces could not be exported');
  diag.setLogger(
    { error, warn: ignored, info: ignored, debug: ignored, verbose: ignored },
    { logLevel: DiagLogLevel.ERROR, suppressOverrideMessage: true },
  );
}
