// What React Native defines before an app starts, for the plain Hermes of the command line: the same packages where they are
// JavaScript.
import { AbortController } from 'abort-controller/dist/abort-controller';
import { Headers, Request, Response } from 'whatwg-fetch';

// Without React Native's event loop, Hermes runs a timer at once.
const enqueue = globalThis.setTimeout;
const pending = new Set();
let lastTimer = 0;

function setTimeout(run, ms = 0, ...values) {
  const timer = ++lastTimer;
  const dueAt = Date.now() + ms;
  const check = () => {
    if (!pending.has(timer)) return;
    if (Date.now() < dueAt) return enqueue(check);
    pending.delete(timer);
    run(...values);
  };
  pending.add(timer);
  enqueue(check);
  return timer;
}

const clearTimeout = (timer) => void pending.delete(timer);
const performance = { now: () => Date.now() };
Object.assign(globalThis, {
  AbortController,
  clearTimeout,
  Headers,
  performance,
  Request,
  Response,
  setTimeout,
});
