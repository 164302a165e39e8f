// The loads of the benchmark of memory: what users and their apps do all day, and what costs the most memory.
import { setTimeout as sleep } from 'node:timers/promises';
import { emailOf, password, usersPerApp } from './database.js';
import type { NewApp } from './processes.js';

/** Answers by status; 0 without an answer. */
export type Tally = Map<number, number>;

const clients = 32;
const attackers = 64;
const fileBytes = 100_000;
const largeFileBytes = 20_000_000;
/** The text of the largest record; just within the limits of a body and of a record. */
const recordText = 'x'.repeat(1_000_000);
const largeRecords = 60;
const readMilliseconds = 2_000;

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
type Answer = { status: number; data: any };
type Caller = ReturnType<typeof callerOf>;

function callerOf(port: number, headers: Record<string, string>, tally: Tally) {
  return async (
    method: string,
    path: string,
    { body, form, token, slowly }: { body?: object; form?: FormData; token?: string; slowly?: boolean } = {},
  ): Promise<Answer> => {
    const given: Record<string, string> = { ...headers };
    if (token) given.authorization = `Bearer ${token}`;
    if (body) given['content-type'] = 'application/json';
    let status = 0;
    let text = '';
    try {
      const sent = form ?? (body && JSON.stringify(body));
      const response = await fetch(`http://127.0.0.1:${port}/api/v2${path}`, {
        method,
        headers: given,
        ...(sent && { body: sent }),
      });
      // A slow client: the answer waits in the service.
      if (slowly) await sleep(readMilliseconds);
      status = response.status;
      text = await response.text();
    } catch {
      status = 0;
    }
    tally.set(status, (tally.get(status) ?? 0) + 1);
    const isJson = text.startsWith('{');
    return { status, data: isJson ? JSON.parse(text).data : text };
  };
}

export async function mixedLoad(port: number, apps: NewApp[], milliseconds: number): Promise<Tally> {
  const tally: Tally = new Map();
  for (const app of apps) await newCollection(callerOf(port, backendOf(app), new Map()), 'notes', 'owner');
  const endAt = performance.now() + milliseconds;
  const client = async (number: number) => {
    const app = apps[number % apps.length] as NewApp;
    const headers = { 'x-app-key': app.app_key, 'x-forwarded-for': `10.1.${number}.7` };
    const call = callerOf(port, headers, tally);
    for (let turn = 0; performance.now() < endAt; turn += 1) {
      const user = (number * 7_919 + turn * 104_729) % usersPerApp;
      await visit(call, emailOf(user), turn, `${number}-${turn}`);
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, number) => client(number)));
  return tally;
}

/** A user opens the app: signs in, and uses it for a while. */
async function visit(call: Caller, email: string, turn: number, unique: string): Promise<void> {
  const isNew = turn % 5 === 0;
  const answer = isNew
    ? await call('POST', '/auth/sign-up', { body: { email: `new-${unique}@example.com`, password } })
    : await call('POST', '/auth/sign-in', { body: { email, password } });
  if (answer.status >= 300 || answer.status === 0) return;
  let { access_token: token, refresh_token } = answer.data;
  for (let use = 0; use < 10; use += 1) {
    const refreshed = await call('POST', '/auth/token/refresh', { body: { refresh_token } });
    if (refreshed.status !== 200) return;
    ({ access_token: token, refresh_token } = refreshed.data);
    await call('GET', '/me', { token });
    await call('PATCH', '/me', { token, body: { first_name: `Ada ${use}` } });
    const fields = { n: use, title: 'A note', text: 'x'.repeat(2_000) };
    await call('PUT', `/data/notes/n-${unique}-${use}`, { token, body: { fields } });
    const where = [{ field: 'n', op: '>=', value: 1 }];
    await call('POST', '/data/notes/query', { token, body: { where, limit: 20 } });
    await call('GET', '/config');
  }
  const form = new FormData();
  form.append('visibility', 'private');
  form.append('file', new Blob([Buffer.alloc(fileBytes, 'a')]), 'note.txt');
  const file = await call('POST', '/files', { token, form });
  if (file.status === 201) await call('DELETE', `/files/${file.data.id}`, { token });
  await call('POST', '/auth/sign-out', { token });
}

/** Many at a time: records of the largest size written, read slowly and scanned, and large files. */
export async function worstQueries(port: number, app: NewApp, milliseconds: number): Promise<Tally> {
  const tally: Tally = new Map();
  const prepare = callerOf(port, backendOf(app), new Map());
  await newCollection(prepare, 'heavy', 'shared');
  const { data } = await prepare('POST', '/auth/sign-in', { body: { email: emailOf(1), password } });
  const token: string = data.access_token;
  for (let n = 0; n < largeRecords; n += 1) {
    const fields = { n, half: n % 2, text: recordText };
    await prepare('PUT', `/data/heavy/r${n}`, { token, body: { fields } });
  }
  const endAt = performance.now() + milliseconds;
  const attacker = async (number: number) => {
    const headers = { 'x-app-key': app.app_key, 'x-forwarded-for': `10.2.${number}.7` };
    const call = callerOf(port, headers, tally);
    for (let turn = number; performance.now() < endAt; turn += 1) {
      const answer = await worstCall(call, token, turn % 6, number);
      // Clients pause after a 503, too.
      if (answer.status === 503 || answer.status === 0) await sleep(200);
    }
  };
  await Promise.all(Array.from({ length: attackers }, (_, number) => attacker(number)));
  return tally;
}

async function worstCall(call: Caller, token: string, kind: number, number: number): Promise<Answer> {
  const query = (body: object) => call('POST', '/data/heavy/query', { token, body, slowly: true });
  if (kind === 0) return query({ where: [{ field: 'text', op: '==', value: 'nothing' }], limit: 100 });
  if (kind === 1) return query({ orderBy: [{ field: 'text', direction: 'desc' }], limit: 100 });
  if (kind === 2) return query({ where: [{ field: 'half', op: 'in', value: [0, 1] }], limit: 100 });
  if (kind === 3) return call('GET', `/data/heavy/r${number % largeRecords}`, { token, slowly: true });
  if (kind === 4) {
    const fields = { n: number, half: 0, text: recordText };
    return call('PUT', `/data/heavy/r${number % largeRecords}`, { token, body: { fields } });
  }
  const form = new FormData();
  form.append('visibility', 'private');
  form.append('file', new Blob([Buffer.alloc(largeFileBytes, 'a')]), 'large.txt');
  const file = await call('POST', '/files', { token, form });
  if (file.status !== 201) return file;
  const { data } = await call('GET', `/files/${file.data.id}/url`, { token });
  const content = await fetch(data.url).catch(() => null);
  await sleep(readMilliseconds);
  await content?.arrayBuffer().catch(() => null);
  return call('DELETE', `/files/${file.data.id}`, { token });
}

function backendOf(app: NewApp): Record<string, string> {
  return { 'x-app-key': app.app_key, authorization: `Bearer ${app.secret_key}` };
}

async function newCollection(call: Caller, name: string, access_mode: string): Promise<void> {
  const { status } = await call('POST', '/admin/collections', { body: { name, access_mode } });
  if (status !== 201) throw new Error(`the collection ${name} was answered ${status}`);
}
