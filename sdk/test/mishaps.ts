// Failures that a test plans for one request of the scripted service.
import type { ServerResponse } from 'node:http';
import type { Answer } from '../src/testing/fake-answer.js';

export interface Exchange {
  /** Processes the request and returns its response. */
  work(): Answer;
  send(answer: Answer): void;
  /** Breaks the connection. */
  cut(): void;
}

/** A scripted failure of one request. */
export type Mishap = (exchange: Exchange) => void | Promise<void>;

export const lostRequest: Mishap = ({ cut }) => cut();
export const lostAnswer: Mishap = ({ work, cut }) => {
  work();
  cut();
};
export const silence: Mishap = () => {};
export const silenceAfterWork: Mishap = ({ work }) => void work();
export function answers(status: number, body: unknown, headers: Record<string, string> = {}): Mishap {
  return ({ send }) => send({ status, body, headers });
}
export function refuses(status: number, code: string, headers: Record<string, string> = {}): Mishap {
  return answers(status, { error: { code, message: code, fields: {} } }, headers);
}
/** Processes the request immediately and responds when `until` resolves. */
export function heldUntil(until: Promise<unknown>): Mishap {
  return async ({ work, send }) => {
    const answer = work();
    await until;
    send(answer);
  };
}

/** A promise that resolves when `open` is called. */
export function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

export function sendAnswer(response: ServerResponse, { status, body, headers }: Answer): void {
  const text = typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body);
  const type = typeof body === 'string' ? 'text/html' : 'application/json';
  response.writeHead(status, { 'Content-Type': type, 'X-Request-Id': 'req_1', ...headers }).end(text);
}
