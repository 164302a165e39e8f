// The answers to requests that are refused before their handlers run: in the form of their version of the API, logged and
// counted. Their request id is that of the log line.
import type { ServerResponse } from 'node:http';
import type { Request } from 'express';
import type { Refusals } from '../../engines/http-guard/index.js';
import type { Deps } from '../deps.js';
import { exposedHeaders } from './cors.js';
import { writtenError } from './error-form.js';
import { v1HeaderNames, versionOfTarget } from './v1-headers.js';

export function refusals(deps: Deps): Refusals {
  /** Logs a request that was refused before it was parsed; `requestLog` logs the others. */
  function log(status: number): string {
    const requestId = deps.random.ulid(deps.clock.now());
    deps.metrics.observe('other', status, 0);
    deps.logger.info({ request_id: requestId, method: null, route: null, status, ms: 0 }, 'request');
    return requestId;
  }

  return {
    answer(refusal, running, target) {
      const requestId = String(running?.getHeader('X-Request-Id') ?? log(refusal.status));
      const version = running ? requestOf(running).apiVersion : versionOfTarget(target);
      const headers = {
        'X-Request-Id': requestId,
        'Access-Control-Allow-Origin': '*',
        'Access-Control-Expose-Headers': exposedHeaders,
        ...keptHeaders(running),
      };
      return { ...writtenError(refusal, requestId, version), headers };
    },
    // In v1 the headers and the shutdown depend on the app, which is looked up first.
    ready: (running) => requestOf(running).announced,
  };
}

function requestOf({ req }: ServerResponse): Request {
  return req as Request;
}

function keptHeaders(running: ServerResponse | undefined): Record<string, string> {
  const kept = v1HeaderNames.filter((name) => running?.hasHeader(name));
  return Object.fromEntries(kept.map((name) => [name, String(running?.getHeader(name))]));
}
