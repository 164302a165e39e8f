// Traces of requests and of what they wait for. Off by default: the service then has no `Tracing`, and loads no library.

export type Attributes = Record<string, string | number>;

export type RequestSpan = {
  /** What `work` begins becomes a child of the span. */
  run(work: () => void): void;
  end(name: string, attributes: Attributes, failed: boolean): void;
};

export type Tracing = {
  /** The span of a request; with a valid `traceparent` header it is part of the caller's trace. */
  startRequest(method: string, headers: Record<string, string | string[] | undefined>): RequestSpan;
  /** Runs a call to another service in a span. */
  call<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T>;
  /** Starts the span of a database statement; the function that is returned ends it. */
  startStatement(sql: string): (error?: unknown) => void;
  /** Sends the spans that wait. */
  close(): Promise<void>;
};

export type TracingOptions = {
  /** The URL of OTLP over HTTP, with the path. */
  url: string;
  headers: Record<string, string>;
  serviceName: string;
  /** The share of traces that are recorded, from 0 to 1. */
  ratio: number;
};
