// The failures that a test plans for the requests to a fake service.
import { errorCatalogue } from '../generated/error-catalogue.js';
import type { Route } from '../generated/routes.js';
import { type Answer, errorAnswer } from './fake-answer.js';
import type { Fault } from './fake-service-types.js';

type Planned = { route: Route | '*'; fault: Fault; left: number };

export function fakeNetwork() {
  let planned: Planned[] = [];

  function plan(route: Route | '*', fault: Fault, times: number): void {
    if (typeof fault === 'object' && 'code' in fault && !(fault.code in errorCatalogue)) {
      throw new TypeError(`The service has no error code ${fault.code}.`);
    }
    if (times > 0) planned.push({ route, fault, left: times });
  }

  function take(route: string | undefined): Fault | undefined {
    const next = planned.find((each) => each.route === '*' || each.route === route);
    if (next && --next.left <= 0) planned = planned.filter((each) => each !== next);
    return next?.fault;
  }

  /** Transmits one request, whose processing is `work`. */
  async function transmit(
    fault: Fault | undefined,
    work: () => Answer,
    signal?: AbortSignal | null,
  ): Promise<Answer> {
    signal?.throwIfAborted();
    // As over a network, the response never arrives in the same turn.
    await Promise.resolve();
    if (fault === 'offline') throw new TypeError('fetch failed');
    if (fault === 'silence') return aborted(signal);
    if (typeof fault === 'object' && 'code' in fault) {
      const { code, retryAfterSeconds } = fault;
      const headers = retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) };
      return { ...errorAnswer({ code, fields: {} }), headers };
    }
    if (typeof fault === 'object' && 'status' in fault) {
      return { status: fault.status, body: fault.body, headers: { 'Content-Type': 'text/html' } };
    }
    const answer = work();
    if (fault === 'lost-answer') throw new TypeError('fetch failed');
    if (fault)
      await Promise.race([new Promise((resolve) => setTimeout(resolve, fault.delayMs)), aborted(signal)]);
    signal?.throwIfAborted();
    return answer;
  }

  function clear(): void {
    planned = [];
  }

  return { plan, take, transmit, clear };
}

/** Rejects when the request is aborted, or has been. */
function aborted(signal: AbortSignal | null | undefined): Promise<never> {
  return new Promise((_, reject) => {
    if (signal?.aborted) reject(signal.reason);
    signal?.addEventListener('abort', () => reject(signal.reason));
  });
}
