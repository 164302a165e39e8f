// Bad requests of a route, from a seeded generator: path, headers and body, valid except for one part, or odd
// throughout.
import { type Agent, type ClientRequestArgs, request } from 'node:http';
import { hasBody, hasForm } from '@foyer/contract';
import type { AppRoute } from '@ts-rest/core';
import type { ZodObject, ZodUnion } from 'zod';
import { type Chance, damaged, oddBytes, oddObject, oddText, oddValue } from './bad-values.js';
import { pathOf } from './contract-routes.js';
import { seed } from './seed.js';

export type Input = {
  method: string;
  path: string;
  headers: [string, string][];
  body: Buffer | null;
  /** Every path parameter exists and the bearer token is valid. */
  known: boolean;
};
export type Came = { status: number; headers: Headers; text: string };

/** Valid parts, so that the rest can be bad. */
export type Overrides = {
  prefix: '/api/v1' | '/api/v2';
  appKey: string;
  /** The bearer token; null for none. */
  bearer: string | null;
  /** Ids of existing rows, by path parameter. */
  params: Record<string, string>;
  /** Valid values by key of the body. */
  values: Record<string, unknown>;
};

export function badInput(chance: Chance, route: AppRoute, overrides: Overrides): Input {
  const params: Record<string, string> = {};
  let known = true;
  for (const [, name = ''] of route.path.matchAll(/:(\w+)/g)) {
    const good = chance.oneIn(4) ? undefined : overrides.params[name];
    params[name] = good ?? oddPathPart(chance);
    if (good === undefined) known = false;
  }
  const query = chance.oneIn(3) ? oddQuery(chance) : '';
  const headers: [string, string][] = [];
  add(headers, chance, 'X-App-Key', overrides.appKey);
  if (overrides.bearer !== null) {
    const spoilt = chance.oneIn(5);
    if (spoilt) known = false;
    const bearer = spoilt ? damaged(chance, overrides.bearer) : overrides.bearer;
    add(headers, chance, 'Authorization', `Bearer ${bearer}`);
  }
  for (const name of [
    'User-Agent',
    'X-Client-Device',
    'X-Client-Version',
    'X-Forwarded-For',
    'Origin',
    'Accept',
    'Idempotency-Key',
    'If-Match',
    'If-None-Match',
  ]) {
    if (chance.oneIn(name === 'Origin' ? 8 : 4)) headers.push([name, headerText(oddText(chance))]);
  }
  const path = `${overrides.prefix}${pathOf(route, params)}${query}`;
  if (hasForm(route)) {
    const form = oddForm(chance);
    add(headers, chance, 'Content-Type', form.type);
    return { method: route.method, path, headers, body: form.body, known };
  }
  let body: Buffer | null = null;
  if (hasBody(route) || chance.oneIn(4)) {
    body = oddBytes(chance, oddBody(chance, route, overrides.values));
    add(headers, chance, 'Content-Type', chance.oneIn(30) ? headerText(oddText(chance)) : 'application/json');
    if (chance.oneIn(25)) headers.push(['Content-Encoding', chance.pick(['gzip', 'deflate', 'br', 'x', ''])]);
  }
  return { method: route.method, path, headers, body, known };
}

/** A valid form, or one broken in its parts, their headers or its end. */
function oddForm(chance: Chance): { type: string; body: Buffer } {
  const boundary = chance.oneIn(6) ? headerText(oddText(chance)).slice(0, 80) : 'frame';
  const parts = Array.from({ length: 1 + chance.number(3) }, () => oddPart(chance));
  const end = chance.oneIn(5)
    ? chance.pick(['', '--frame', '--frame-', 'x', '--other--\r\n'])
    : '--frame--\r\n';
  const whole = Buffer.concat([...parts, Buffer.from(end)]);
  return {
    type: chance.oneIn(8) ? headerText(oddText(chance)) : `multipart/form-data; boundary=${boundary}`,
    body: chance.oneIn(5) ? whole.subarray(0, chance.number(whole.length + 1)) : whole,
  };
}

function oddPart(chance: Chance): Buffer {
  const text = () => oddText(chance).slice(0, 500);
  const name = chance.pick(['file', 'file', 'visibility', text()]);
  const filename = chance.oneIn(2) ? `; filename="${chance.oneIn(2) ? 'a.png' : text()}"` : '';
  const lines = [
    '--frame',
    chance.oneIn(12) ? text() : `Content-Disposition: form-data; name="${name}"${filename}`,
    ...(chance.oneIn(3) ? [`Content-Type: ${chance.oneIn(2) ? 'image/png' : text()}`] : []),
    ...(chance.oneIn(8) ? [text()] : []),
    '',
    '',
  ];
  const content =
    name === 'visibility' && chance.oneIn(2) ? Buffer.from('public') : oddBytes(chance, oddValue(chance));
  return Buffer.concat([Buffer.from(lines.join('\r\n')), content, Buffer.from('\r\n')]);
}

/** An object with the keys of the contract: all odd, or valid except for one or two, to reach nested values. */
function oddBody(chance: Chance, route: AppRoute, values: Record<string, unknown>): unknown {
  if (chance.oneIn(8)) return oddValue(chance);
  const keys = hasBody(route) ? keysOf((route as unknown as { body: ZodObject | ZodUnion }).body) : [];
  if (keys.length === 0 || chance.oneIn(3)) return oddObject(chance, keys);
  const body = Object.fromEntries(keys.filter((key) => key in values).map((key) => [key, values[key]]));
  const wrong = chance.pick(keys);
  const good = values[wrong];
  const token = wrong.endsWith('_token') && typeof good === 'string';
  body[wrong] = token ? damaged(chance, good) : oddText(chance).toWellFormed();
  if (chance.oneIn(3)) body[chance.pick(keys)] = oddValue(chance);
  return body;
}

/** The keys of all shapes, for a body that may have several. */
function keysOf(body: ZodObject | ZodUnion): string[] {
  const shapes = 'options' in body ? (body.options as unknown as ZodObject[]) : [body];
  return [...new Set(shapes.flatMap(({ shape }) => Object.keys(shape)))];
}

/** Usually the valid value, sometimes missing, repeated or replaced. */
function add(headers: [string, string][], chance: Chance, name: string, value: string): void {
  const how = chance.number(100);
  if (how < 2) return;
  if (how < 4) headers.push([name, headerText(oddText(chance))]);
  if (how !== 4) headers.push([name, value]);
  if (how === 5) headers.push([name, value]);
}

function oddPathPart(chance: Chance): string {
  if (chance.oneIn(4)) return '01JC4Q7M0RZ9X2V5T8W3Y6K1NB';
  if (chance.oneIn(6))
    return chance.pick(['%00', '%ff', '%', '%zz', '%ED%A0%80', '%2e%2e', '%2F', '..;', '*', ':id']);
  return encoded(oddText(chance), 4_000) || 'x';
}

function oddQuery(chance: Chance): string {
  const parameters = Array.from({ length: 1 + chance.number(4) }, () => {
    const name = chance.oneIn(2)
      ? chance.pick([
          'limit',
          'cursor',
          'q',
          'email',
          'disabled',
          'provider',
          'created_after',
          'v1_used_after',
          'uids',
          'order',
        ])
      : encoded(oddText(chance), 500);
    const value = chance.oneIn(8) ? '%zz' : encoded(oddText(chance), 1_500);
    return chance.oneIn(8) ? name : `${name}=${value}`;
  });
  return `?${parameters.join('&')}`;
}

/** At most so many characters of it; no more of the text is encoded than they need. */
function encoded(text: string, length: number): string {
  return encodeURIComponent(text.slice(0, length).toWellFormed()).replaceAll("'", '%27').slice(0, length);
}

/** What Node's client can send: Latin-1 without control characters, of limited length. */
function headerText(text: string): string {
  return Buffer.from(text.slice(0, 2_000))
    .toString('latin1')
    .replace(/[^\t\x20-\x7e\x80-\xff]/g, '')
    .slice(0, 3_000);
}

export function send(
  to: { port: number; agent: Agent },
  { method, path, headers, body }: Omit<Input, 'known'>,
): Promise<Came> {
  return new Promise((resolve, reject) => {
    const lines = ['Host', 'accounts.test', ...headers.flat()];
    if (body) lines.push('Content-Length', String(body.length));
    const options: ClientRequestArgs = {
      ...to,
      host: '127.0.0.1',
      method,
      path,
    };
    const outgoing = request({ ...options, headers: lines }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () => {
        const came = new Headers();
        for (const [name, value] of Object.entries(incoming.headers)) came.set(name, String(value));
        resolve({ status: incoming.statusCode ?? 0, headers: came, text: Buffer.concat(chunks).toString() });
      });
    });
    // The keep-alive connection closed just as the request was sent: there is no answer, so it is sent again.
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      if (outgoing.reusedSocket && error.code === 'ECONNRESET')
        resolve(send(to, { method, path, headers, body }));
      else reject(error);
    });
    outgoing.end(body ?? undefined);
  });
}

/** Sends the input; what `judge` throws about the answer is thrown with the input that reproduces it. */
export async function judged(
  to: { port: number; agent: Agent },
  input: Input,
  judge: (came: Came) => void,
): Promise<Came> {
  const came = await send(to, input);
  try {
    judge(came);
  } catch (error) {
    const answer = `${came.status} ${came.text.slice(0, 500)}`;
    throw new Error(`seed ${seed}: ${shown(input)} was answered ${answer}`, { cause: error });
  }
  return came;
}

export function shown({ method, path, headers, body }: Input): string {
  const parts = [
    method,
    path.slice(0, 300),
    JSON.stringify(headers).slice(0, 600),
    body?.toString().slice(0, 600),
  ];
  return parts.filter(Boolean).join(' ');
}
