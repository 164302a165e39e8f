// Responses of the scripted service, in the envelope of the real one.
import type { ServerResponse } from 'node:http';

export interface Answer {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
}

export type User = Record<string, unknown> & { uid: string; email: string; password?: string };

export function errorBody(code: string) {
  return { error: { code, message: code, fields: {} } };
}

export function refusal(status: number, code: string): Answer {
  return { status, body: errorBody(code) };
}

export function data(status: number, value: unknown): Answer {
  return { status, body: { data: value } };
}

export const codeSent = data(200, { expires_in: 600 });

export function identity(provider: string) {
  return { provider, email: 'ada@example.com', linked_at: '2026-01-02T03:04:05.678000Z' };
}

export function shown({ uid, email, email_verified = false, first_name, last_name }: User) {
  return {
    uid,
    email,
    email_verified,
    first_name,
    last_name,
    photo_url: null,
    created_at: '2026-01-02T03:04:05.678000Z',
  };
}

export function sendAnswer(response: ServerResponse, { status, body, headers }: Answer): void {
  const text = typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body);
  const type = typeof body === 'string' ? 'text/html' : 'application/json';
  response.writeHead(status, { 'Content-Type': type, 'X-Request-Id': 'req_1', ...headers }).end(text);
}
