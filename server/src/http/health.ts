// Liveness (/healthz) and readiness (/readyz: the database responds and accepts writes).
import { Router } from 'express';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { type Endpoint, leaveOptions } from './no-such-route.js';

export const probes: Endpoint[] = [
  { method: 'GET', path: '/healthz' },
  { method: 'GET', path: '/readyz' },
];

export function health(deps: Deps): Router {
  const askDatabase = onceASecond(deps);
  const router = Router({ caseSensitive: true, strict: true });
  router.use(leaveOptions);
  router.get('/healthz', (_req, res) => {
    res.setHeader('Cache-Control', 'no-store');
    res.json({ data: { status: 'ok' } });
  });
  router.get('/readyz', async (_req, res) => {
    res.setHeader('Cache-Control', 'no-store');
    // An unavailable database throws here, and the error handler answers 503 with Retry-After.
    await askDatabase();
    res.json({ data: { status: 'ready' } });
  });
  return router;
}

/** A standby, or a primary that was set to read only, cannot serve: almost every call writes. */
async function requireWritable({ prisma }: Pick<Deps, 'prisma'>): Promise<void> {
  const [row] = await prisma.$queryRaw<{ read_only: boolean }[]>`
    SELECT current_setting('transaction_read_only')::boolean AS read_only`;
  if (row?.read_only) {
    throw new ApiError('request/unavailable', { retryAfterSeconds: 1, cause: 'the database is read-only' });
  }
}

/** The probe is public and has no rate limit, so it queries the database at most once a second. */
function onceASecond(deps: Pick<Deps, 'elapsed' | 'prisma'>): () => Promise<void> {
  let answer: Promise<void> | null = null;
  let answeredAt = Number.POSITIVE_INFINITY;

  return () => {
    if (answer && deps.elapsed() < answeredAt + 1_000) return answer;
    answeredAt = Number.POSITIVE_INFINITY;
    answer = requireWritable(deps).finally(() => {
      answeredAt = deps.elapsed();
    });
    return answer;
  };
}
