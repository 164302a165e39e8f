// kill -9, with a real process: a mail whose send was answered is sent once by the next process.
import { openDatabase } from '@foyer/prisma';
import { createTestPlace } from '@foyer/prisma/testing';
import { expect, onTestFinished, test } from 'vitest';
import { startFoyer } from '../../test/foyer-process.js';
import { freePort } from '../../test/free-port.js';
import { testEncryptionKey, testService } from '../../test/harness.js';
import { mailServer } from '../../test/mail-server.js';
import { until } from '../../test/until.js';
import { systemClock } from '../lib/clock.js';

const from = 'accounts@mail.test';
const minutes = 60_000;

test('codes whose sends were answered are mailed once, even if the process is killed while it hands them over', async () => {
  const place = await createTestPlace();
  onTestFinished(place.remove);
  const server = await mailServer();
  onTestFinished(server.down);
  /** Runs in this process, on the database of the other. */
  const serviceHere = async () =>
    testService({
      database: await openDatabase(place),
      config: { smtp: { url: server.url, from } },
      overrides: { clock: systemClock },
    });
  const first = await serviceHere();
  await first.stop();

  server.behave({ silentRecipients: true });
  const PORT = String(await freePort());
  const mail = { SMTP_URL: server.url, MAIL_FROM: from, ENCRYPTION_KEYS: testEncryptionKey };
  const killed = await startFoyer({ ...place.env, ...mail, PORT, HOST: '127.0.0.1' });
  const emails = [1, 2, 3, 4, 5, 6, 7].map((i) => `user${i}@example.com`);
  for (const email of emails) {
    const answer = await fetch(`http://127.0.0.1:${PORT}/api/v2/auth/email-code/send`, {
      method: 'POST',
      headers: { 'x-app-key': first.app.app.appKey, 'content-type': 'application/json' },
      body: JSON.stringify({ email }),
    });
    expect(answer.status).toBe(200);
  }
  await until(() => server.attempts > 0);
  await killed.kill('SIGKILL');
  expect(server.received).toEqual([]);

  server.behave({});
  const next = await serviceHere();
  onTestFinished(next.stop);
  // Past the job expiry of a killed process, and past the delay before the retry.
  for (let round = 0; round < 3; round += 1) await next.advance(2 * minutes);
  expect(server.received.flatMap(({ to }) => to).toSorted()).toEqual(emails);
});
