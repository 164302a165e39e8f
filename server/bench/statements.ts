// How many statements each call sends to the database: the service in this process, on the same database, with every
// statement reported as it is sent.
import { openDatabase } from '@foyer/prisma';
import { createExpressApp } from '../src/app.js';
import { readConfig } from '../src/env.js';
import { listen } from '../src/http/listen.js';
import { startJobs } from '../src/scheduler.js';
import { buildDeps } from '../src/wiring.js';
import { password } from './database.js';

export type Statements = Record<'signUp' | 'signIn' | 'refresh' | 'me' | 'keySet', number>;

const callsOfEach = 10;

/** The mean of ten sequential calls; the app, which is cached for five seconds, is loaded before. */
export async function countStatements(
  environment: Record<string, string>,
  appKey: string,
): Promise<Statements> {
  let sent = 0;
  const config = readConfig({ ...environment, LOG_LEVEL: 'silent' });
  const database = await openDatabase({ databaseUrl: config.databaseUrl, onStatement: () => (sent += 1) });
  const { deps, close } = await buildDeps(config, { database });
  await startJobs(deps);
  const listening = await listen(createExpressApp(deps), 0, '127.0.0.1');

  async function call(method: string, path: string, body?: unknown, token?: string) {
    const headers = {
      'X-App-Key': appKey,
      'Content-Type': 'application/json',
      ...(token && { Authorization: `Bearer ${token}` }),
    };
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const answer = await fetch(`http://127.0.0.1:${listening.port}/api/v2${path}`, init);
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as { data: { access_token: string; refresh_token: string } };
  }
  async function mean(work: (call: number) => Promise<unknown>): Promise<number> {
    const before = sent;
    for (let made = 0; made < callsOfEach; made += 1) await work(made);
    return (sent - before) / callsOfEach;
  }

  const account = (user: number) => ({ email: `counted-${user}@example.com`, password });
  try {
    let tokens = (await call('POST', '/auth/sign-up', account(-1))).data;
    return {
      signUp: await mean((user) => call('POST', '/auth/sign-up', account(user))),
      signIn: await mean((user) => call('POST', '/auth/sign-in', account(user))),
      refresh: await mean(async () => {
        const body = { refresh_token: tokens.refresh_token };
        tokens = (await call('POST', '/auth/token/refresh', body)).data;
      }),
      me: await mean(() => call('GET', '/me', undefined, tokens.access_token)),
      keySet: await mean(() => call('GET', '/.well-known/jwks.json')),
    };
  } finally {
    await listening.stop(1_000);
    await close();
  }
}
