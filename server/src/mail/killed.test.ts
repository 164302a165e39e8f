// kill -9, with real processes: a mail whose send was answered is sent once by the next process.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { openDatabase } from '@foyer/prisma';
import { createTestPlace, type TestPlace } from '@foyer/prisma/testing';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type TestService, testEncryptionKey, testService } from '../../test/harness.js';
import { type MailServer, mailServer } from '../../test/mail-server.js';
import { systemClock } from '../lib/clock.js';

const from = 'accounts@mail.test';
const minutes = 60_000;
const cleanUp: (() => Promise<unknown>)[] = [];
let place: TestPlace;
let server: MailServer;

beforeEach(async () => {
  place = await createTestPlace();
  cleanUp.push(place.remove);
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

async function serviceInAProcess(): Promise<{ url: string; kill(): Promise<void> }> {
  const mail = { SMTP_URL: server.url, MAIL_FROM: from };
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL('../../dist/cli.js', import.meta.url)), 'start'],
    {
      env: { PATH: process.env.PATH, ...place.env, ...mail, PORT: '0', ENCRYPTION_KEYS: testEncryptionKey },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  cleanUp.push(kill);
  return { url: await addressIn(child), kill };
}

/** Its output is read further: a closed pipe would end the process before the test does. */
function addressIn(child: ChildProcess): Promise<string> {
  let said = '';
  return new Promise((resolve, reject) => {
    child.stdout?.setEncoding('utf8').on('data', (part: string) => {
      said += part;
      const found = /Foyer answers at (http:\/\/\S+?),/.exec(said);
      if (found?.[1]) resolve(found[1]);
    });
    child.once('close', () => reject(new Error(`the service ended without listening: ${said}`)));
  });
}

test.each([
  ['before the mail server heard of them', { noGreeting: true }, () => server.connections],
  ['while they are handed over', { silentRecipients: true }, () => server.attempts],
])(
  'codes whose sends were answered are mailed once, even if the process is killed %s',
  async (_, behaviour, seen) => {
    const first = await serviceHere();
    const { appKey } = first.app.app;
    await first.stop();

    server.behave(behaviour);
    const killed = await serviceInAProcess();
    const emails = [1, 2, 3, 4, 5, 6, 7].map((i) => `user${i}@example.com`);
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
