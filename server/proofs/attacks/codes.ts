// `npm run proofs -w @foyer/server -- code-attack`: strangers try to keep one person from signing in, or from a new password, by emailed
// code. They exhaust the mails of the day, ask for every mail that is left in each ten minutes, and guess wrong at every code.
// The owner asks 25 times in 42 minutes. The service is real, with its limits and the embedded database; its clock is moved by
// hand. It fails if an owner with a proof of an earlier sign-in does not get in at once.
import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { type Answer, type CallOptions, type TestService, testService } from '../../test/harness.js';

const { values } = parseArgs({
  options: {
    kind: { type: 'string', default: 'sign_in' },
    /** Each owner without a proof is attacked on a day of its own. */
    owners: { type: 'string', default: '10' },
  },
});
const isReset = values.kind === 'reset';
const second = 1_000;
const day = 86_400 * second;
const asks = 25;
const pause = 100 * second;
const password = 'correct horse battery staple';

type Attackers = { name: string; addresses: string[] };

const attackers: Attackers[] = [
  { name: '30 IPv4 in 30 networks', addresses: range(30, (place) => `${60 + place}.7.7.7`) },
  { name: '30 IPv4 in one /16', addresses: range(30, (place) => `203.0.${place}.7`) },
  {
    name: 'two IPv6 /48',
    addresses: range(60, (place) => `2001:db8:${place % 2}:${place}::1`),
  },
];

type Owner = { email: string; proof: CallOptions };
type Proof = 'device token' | 'session' | 'flow of an earlier sign-in' | 'none';

const service = await testService({ rateLimits: true, config: { trustProxy: 1 } });
let failed = false;
try {
  console.log('| attackers | proof of the owner | owners who got in | after minutes |\n|---|---|---|---|');
  for (const { name, addresses } of attackers) {
    for (const proof of ['device token', 'session', 'flow of an earlier sign-in', 'none'] as const) {
      const owners = proof === 'none' ? Number(values.owners) : 1;
      const minutes: number[] = [];
      for (let place = 0; place < owners; place += 1) {
        service.clock.advance(2 * day);
        const after = await attack(await newOwner(proof), addresses);
        if (after !== null) minutes.push(after);
      }
      failed ||= proof !== 'none' && minutes[0] !== 0;
      const when = minutes.sort((a, b) => a - b).join(' ') || 'never';
      console.log(`| ${name} | ${proof} | ${minutes.length} of ${owners} | ${when} |`);
    }
  }
} finally {
  await service.stop();
}
process.exit(failed ? 1 : 0);

/** The minutes after which the owner got in; null if that did not happen. */
async function attack({ email, proof }: Owner, addresses: string[]): Promise<number | null> {
  await exhaust(email, addresses);
  const start = service.clock.now().getTime();
  let flow: string | null = null;
  for (let ask = 0; ask < asks; ask += 1) {
    for (const address of addresses) await send(email, from(address));
    await burn(email, addresses);
    const mailed = (await service.mailbox(email)).length;
    const sent = await send(email, from('192.0.2.1', flow === null ? proof : withFlow(flow, proof)));
    flow = sent.headers.get('x-code-flow');
    const mails = await service.mailbox(email);
    if (mails.length > mailed) {
      await burn(email, addresses);
      const used = await use(
        email,
        mails[0]?.code as string,
        from('192.0.2.1', withFlow(flow as string, proof)),
      );
      if (used.status < 300) return Math.round((service.clock.now().getTime() - start) / (60 * second));
    }
    service.clock.advance(pause);
  }
  return null;
}

/** The first addresses cause all mails of the day that are sent on request. */
async function exhaust(email: string, addresses: string[]): Promise<void> {
  for (let round = 0; round < 5; round += 1) {
    for (const address of addresses.slice(0, 6)) await send(email, from(address));
    await burn(email, addresses);
    service.clock.advance(30 * second);
  }
}

/** Uses up the guesses of the newest code that needs no flow. */
async function burn(email: string, addresses: string[]): Promise<void> {
  for (const address of addresses.slice(-5)) await use(email, '000000', from(address));
}

/** A user who signed in on the days before. */
async function newOwner(proof: Proof): Promise<Owner> {
  const email = `${randomUUID()}@example.com`;
  await call('/auth/sign-up', from('192.0.2.1'), { email, password });
  service.clock.advance(60 * second);
  const sent = await call('/auth/email-code/send', from('192.0.2.1'), { email });
  const flow = sent.headers.get('x-code-flow') as string;
  const [mail] = await service.mailbox(email);
  const signedIn = await call('/auth/email-code/verify', from('192.0.2.1', withFlow(flow)), {
    email,
    code: mail?.code,
  });
  service.clock.advance(2 * day);
  const device = signedIn.headers.get('x-device-token') as string;
  if (proof === 'device token') return { email, proof: { headers: { 'x-device-token': device } } };
  if (proof === 'flow of an earlier sign-in') return { email, proof: withFlow(flow) };
  if (proof === 'none') return { email, proof: {} };
  const { refresh_token } = signedIn.json.data;
  const renewed = await call('/auth/token/refresh', {}, { refresh_token });
  return { email, proof: { token: renewed.json.data.access_token } };
}

function send(email: string, options: CallOptions): Promise<Answer> {
  return call(isReset ? '/auth/password/forgot' : '/auth/email-code/send', options, { email });
}

function use(email: string, code: string, options: CallOptions): Promise<Answer> {
  return isReset
    ? call('/auth/password/reset', options, { email, code, password })
    : call('/auth/email-code/verify', options, { email, code });
}

function call(path: string, options: CallOptions, body: object): ReturnType<TestService['call']> {
  return service.call('POST', path, { ...options, body });
}

function from(address: string, options: CallOptions = {}): CallOptions {
  return { ...options, headers: { ...options.headers, 'x-forwarded-for': address } };
}

function withFlow(flow: string, options: CallOptions = {}): CallOptions {
  return { ...options, headers: { ...options.headers, 'x-code-flow': flow } };
}

function range<T>(count: number, make: (place: number) => T): T[] {
  return Array.from({ length: count }, (_, place) => make(place));
}
