// How many statements each call sends to the database: the service in this process, on the same database, with every
// statement reported as it is sent.
import { openDatabase } from '@foyer/prisma';
import { listen } from '../../engines/http-guard/listen.js';
import { createExpressApp } from '../../src/app.js';
import { readConfig } from '../../src/env.js';
import { startJobs } from '../../src/scheduler.js';
import { buildDeps } from '../../src/wiring.js';
import { password } from './database.js';
import { caller, dataOf } from './processes.js';

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

  const call = caller(listening.port, { 'X-App-Key': appKey });
  const send = async (path: string, body?: unknown, more?: Record<string, string>) =>
    dataOf(await call(path, body, more));
  async function mean(work: (call: number) => Promise<unknown>): Promise<number> {
    const before = sent;
    for (let made = 0; made < callsOfEach; made += 1) await work(made);
    return (sent - before) / callsOfEach;
  }

  const account = (user: number) => ({ email: `counted-${user}@example.com`, password });
  try {
    let tokens = await send('/auth/sign-up', account(-1));
    return {
      signUp: await mean((user) => send('/auth/sign-up', account(user))),
      signIn: await mean((user) => send('/auth/sign-in', account(user))),
      refresh: await mean(async () => {
        tokens = await send('/auth/token/refresh', { refresh_token: tokens.refresh_token });
      }),
      me: await mean(() => send('/me', undefined, { Authorization: `Bearer ${tokens.access_token}` })),
      keySet: await mean(() => send('/.well-known/jwks.json')),
    };
  } finally {
    await listening.stop(1_000);
    await close();
  }
}
