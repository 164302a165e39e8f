// kill -9, with real processes: a mail whose send was answered is sent once by the next process.
import { openDatabase } from '@foyer/prisma';
import { createTestPlace, type TestPlace } from '@foyer/prisma/testing';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { startFoyer } from '../../test/foyer-process.js';
import { freePort } from '../../test/free-port.js';
import { type TestService, testEncryptionKey, testService } from '../../test/harness.js';
import { type MailServer, mailServer } from '../../test/mail-server.js';
import { systemClock } from '../lib/clock.js';

const from = 'accounts@mail.test';
const minutes = 60_000;
const cleanUp: (() => Promise<unknown>)[] = [];
let place: TestPlace;
let appKey: string;
let server: MailServer;

beforeAll(async () => {
  place = await createTestPlace();
  const first = await testService({
    database: await openDatabase(place),
    overrides: { clock: systemClock },
  });
  appKey = first.app.app.appKey;
  await first.stop();
});
afterAll(() => place.remove());
beforeEach(async () => {
  server = await mailServer();
  cleanUp.push(server.down);
});
afterEach(async () => {
  for (const undo of cleanUp.splice(0).reverse()) await undo();
});

/** The service in this process, on the database of the other. */
async function serviceHere(): Promise<TestService> {
  const database = await openDatabase(place);
  const config = { smtp: { url: server.url, from } };
  return testService({ database, config, overrides: { clock: systemClock } });
}

async function serviceInAProcess(): Promise<{ url: string; kill(): Promise<unknown> }> {
  const mail = { SMTP_URL: server.url, MAIL_FROM: from };
  const port = String(await freePort());
  const env = { ...place.env, ...mail, PORT: port, HOST: '127.0.0.1', ENCRYPTION_KEYS: testEncryptionKey };
  const foyer = await startFoyer(env);
  const kill = () => foyer.kill('SIGKILL');
  cleanUp.push(kill);
  return { url: `http://127.0.0.1:${port}`, kill };
}

test.each([
  ['before the mail server heard of them', { noGreeting: true }, () => server.connections],
  ['while they are handed over', { silentRecipients: true }, () => server.attempts],
])(
  'codes whose sends were answered are mailed once, even if the process is killed %s',
  async (when, behaviour, seen) => {
    server.behave(behaviour);
    const killed = await serviceInAProcess();
    const emails = [1, 2, 3, 4, 5, 6, 7].map((i) => `user${i}.${when.split(' ')[0]}@example.com`);
    for (const email of emails) {
      const answer = await fetch(`${killed.url}/api/v2/auth/email-code/send`, {
        method: 'POST',
        headers: { 'x-app-key': appKey, 'content-type': 'application/json' },
        body: JSON.stringify({ email }),
      });
      expect(answer.status).toBe(200);
    }
    await vi.waitFor(() => expect(seen()).toBeGreaterThan(0), { timeout: 60_000, interval: 5 });
    await killed.kill();
    expect(server.received).toEqual([]);

    server.behave({});
    const next = await serviceHere();
    cleanUp.push(next.stop);
    // Past the job expiry of a killed process, and past the delay before the retry.
    for (let round = 0; round < 3; round += 1) await next.advance(2 * minutes);
    expect(server.received.flatMap(({ to }) => to).toSorted()).toEqual(emails);
  },
);
