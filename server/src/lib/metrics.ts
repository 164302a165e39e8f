// Process metrics in the Prometheus format, served on METRICS_PORT.

export type Metrics = {
  observe(route: string, status: number, milliseconds: number): void;
  /** A value that is read at each scrape. */
  gauge(name: string, help: string, read: () => number): void;
  text(): Promise<{ contentType: string; body: string }>;
};

export async function processMetrics(): Promise<Metrics> {
  const { collectDefaultMetrics, Gauge, Histogram, Registry } = await import('prom-client');
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'foyer_' });
  const requests = new Histogram({
    name: 'foyer_http_request_seconds',
    help: 'Time from the first byte of a request to the end of its answer.',
    labelNames: ['route', 'status'] as const,
    buckets: [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10],
    registers: [registry],
  });
  return {
    observe: (route, status, milliseconds) => requests.observe({ route, status }, milliseconds / 1_000),
    gauge(name, help, read) {
      new Gauge({
        name,
        help,
        registers: [registry],
        collect() {
          this.set(read());
        },
      });
    },
    text: async () => ({ contentType: registry.contentType, body: await registry.metrics() }),
  };
}

/** The metrics of services without METRICS_PORT. */
export const noMetrics: Metrics = {
  observe: () => {},
  gauge: () => {},
  text: async () => ({ contentType: 'text/plain', body: '' }),
};
