// `npm run proofs -w @foyer/server -- delays`: what one attacker costs the others where work is dear. Passwords brought over from
// v1 with bcrypt of cost 14: one IP address tries twenty at a time, and twenty owners sign in. Push endpoints that never answer: an
// app sends to them, and another app's message waits for its receipt. The service is real, with its limits and hashes, on
// the embedded database. `--only passwords` or `--only push` tries one of the two. It fails if an owner is refused, or if a message of another app is sent more than two seconds later.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import bcrypt from 'bcryptjs';
import { passwordHasher } from '../../engines/hashing/index.js';
import { createApp } from '../../src/apps/create-app.js';
import { systemClock } from '../../src/lib/clock.js';
import { systemRandom } from '../../src/lib/crypto/random.js';
import { from, newAddress } from '../../test/limited-service.js';
import { hello, pushScenario } from '../../test/push-scenario.js';
import { percentile } from '../bench/figures.js';

const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } });
const attacked = 40;
const owners = 20;
const attackMilliseconds = 30_000;
const password = 'right password';
const hangingDevices = 100;
const hangingMessages = 8;
const maxDelayMilliseconds = 2_000;

const hasher = passwordHasher(systemRandom(), { networkShares: true });
const scenario = await pushScenario({
  clock: { ...systemClock, advance() {} } as never,
  rateLimits: true,
  config: { trustProxy: 1 },
  overrides: { passwordHasher: hasher },
});
const { service } = scenario;
const { prisma } = service.database;
let failed = false;
try {
  if ('passwords'.includes(values.only)) await costlyPasswords();
  if ('push'.includes(values.only)) await hangingEndpoints();
} finally {
  await scenario.stop();
  await hasher.close();
}
process.exit(failed ? 1 : 0);

async function costlyPasswords(): Promise<void> {
  const emails = Array.from({ length: attacked }, () => `${randomUUID()}@example.com`);
  const passwordHash = bcrypt.hashSync(password, 14);
  for (const email of emails) {
    const made = await service.call('POST', '/auth/sign-up', {
      ...from(newAddress()),
      body: { email, password },
    });
    if (made.status !== 201) throw new Error(`a sign-up was answered ${made.text}`);
  }
  await prisma.user.updateMany({
    where: { email: { in: emails.slice(owners) } },
    data: { passwordHash, passwordFromV1: true },
  });
  const signIn = (address: string, email: string, typed: string) =>
    service.call('POST', '/auth/sign-in', { ...from(address), body: { email, password: typed } });
  const until = performance.now() + attackMilliseconds;
  let tries = 0;
  const attack = Promise.all(
    Array.from({ length: 20 }, async (_, place) => {
      while (performance.now() < until) {
        tries += 1;
        const { status } = await signIn('203.0.113.1', emails[owners + place] as string, `wrong ${tries}`);
        if (status === 429) await sleep(200);
      }
    }),
  );
  await sleep(2_000);
  const times: number[] = [];
  const statuses: number[] = [];
  for (const email of emails.slice(0, owners)) {
    const began = performance.now();
    statuses.push((await signIn(newAddress(), email, password)).status);
    times.push(performance.now() - began);
    await sleep(500);
  }
  await attack;
  const right = statuses.filter((status) => status === 200).length;
  failed ||= right < owners;
  console.log(
    `costly passwords: ${right} of ${owners} owners signed in beside ${tries} tries, p50 ${percentile(times, 50).toFixed(0)} ms, ` +
      `longest ${Math.max(...times).toFixed(0)} ms`,
  );
}

async function hangingEndpoints(): Promise<void> {
  // Accepts connections, and never answers.
  let hung = 0;
  const silent = createServer(() => {
    hung += 1;
  }).listen(0, '127.0.0.1');
  await sleep(100);
  const { port } = silent.address() as { port: number };
  const device = await scenario.register('fcm');
  const other = await createApp(service.deps, { name: 'Hanging' });
  await service.changeSettings({ push: { web_push: { subject: 'mailto:push@example.com' } } }, other);
  for (let place = 0; place < hangingDevices; place += 1) {
    const { keys } = scenario.providers.web.subscription();
    const token = `http://127.0.0.1:${port}/${place}`;
    const body = { provider: 'webpush', platform: 'web', token, keys };
    const made = await service.call('POST', '/push/devices', {
      appKey: other.app.appKey,
      ...from(newAddress()),
      body,
    });
    if (made.status !== 201) throw new Error(`a device was answered ${made.text}`);
  }
  service.deps.queue.poll();
  const delayOf = async () => {
    const began = performance.now();
    const { data } = await scenario.send({ ...hello, device_ids: [device.id] });
    const { id } = data as { id: string };
    while ((await scenario.result(id)).receipts.get(device.id)?.status !== 'accepted') await sleep(20);
    return performance.now() - began;
  };
  const idle = await delayOf();
  for (let message = 0; message < hangingMessages; message += 1) {
    const sent = await scenario.send({ ...hello, all: true }, other);
    if (sent.status !== 202) throw new Error(`a message was answered ${sent.text}`);
  }
  await sleep(500);
  const delays: number[] = [];
  for (let time = 0; time < 10; time += 1) delays.push(await delayOf());
  silent.close();
  failed ||= hung < 10;
  failed ||= Math.max(...delays) > maxDelayMilliseconds;
  console.log(
    `hanging endpoints: another app's message is sent after ${percentile(delays, 50).toFixed(0)} ms, at most ` +
      `${Math.max(...delays).toFixed(0)} ms; ${idle.toFixed(0)} ms before; ${hung} calls hung`,
  );
}
