// `npm run proofs -w @foyer/server -- sign-up-flood`: an hour in which an attacker signs up as often as each of its networks may,
// while a person from a new network tries every minute. Prints how many accounts each of them creates. The limiter runs by
// itself and by a manual clock, so that the figures do not depend on the speed of the machine; server/test/app-limits.test.ts
// has the calls that it limits.
//   --budget <n>       another limits.sign_ups_per_hour than 1,000
//   --redis <url>      counts in Redis
import { parseArgs } from 'node:util';
import { limits } from '@foyer/contract';
import { memoryWindows } from '../../engines/limiter/memory-windows.js';
import { limiter } from '../../engines/limiter/rate-limit.js';
import { redisAddress } from '../../engines/limiter/redis-address.js';
import { redisWindows } from '../../engines/limiter/redis-windows.js';
import { jsonLogger } from '../../src/lib/logger.js';

const { values: options } = parseArgs({
  options: { budget: { type: 'string', default: '1000' }, redis: { type: 'string' } },
});
const budget = Number(options.budget);
const minutes = 60;
/** What `auth-ip` allows one IPv4 address or /64; more than so many in a minute change nothing. */
const perMinute = limits.rateLimits['auth-ip'].limit;
const mostPerMinute = 3_000;

const attackers: Record<string, { networks: number; addressOf(place: number): string }> = {
  'one IPv4 address': { networks: 1, addressOf: () => '203.0.113.7' },
  'one IPv4 /24': { networks: 256, addressOf: (place) => `203.0.113.${place % 256}` },
  'one IPv6 /64': { networks: 1, addressOf: () => '2001:db8:1:1::1' },
  'one IPv6 /48': { networks: 16, addressOf: (place) => `2001:db8:1:${(place % 65_536).toString(16)}::1` },
  '10 IPv6 /48': { networks: 160, addressOf: (place) => `2001:db8:${place % 10}:${place.toString(16)}::1` },
  '100 IPv4 addresses': { networks: 100, addressOf: (place) => `12.0.${place % 100}.7` },
  '1,000 IPv4 addresses': {
    networks: 1_000,
    addressOf: (place) => `12.${(place % 1_000) >> 8}.${place & 255}.7`,
  },
};

const address = options.redis === undefined ? null : redisAddress(options.redis);
const store = address ? await redisWindows(address, jsonLogger('warn')) : memoryWindows();
let now = 0;
const limited = limiter(store, { now: () => new Date(now) }, Buffer.alloc(32));
console.log(
  '| attacker | accounts of the attacker | sign-ups of others served | longest wait of others, minutes |',
);
console.log('|---|---|---|---|');
for (const [name, attacker] of Object.entries(attackers)) console.log(await hour(name, attacker));
await limited.close();

async function hour(name: string, attacker: (typeof attackers)[string]): Promise<string> {
  const app = {
    id: `bench-${process.pid} ${name}`.replaceAll(' ', '-'),
    rateLimits: {},
    settings: { limits: { sign_ups_per_hour: budget, mails_to_strangers_per_hour: budget } },
  };
  const isServed = async (ip: string) =>
    (await limited.consumeSignUp(app, { ip, isProven: false })).refusal === null;
  let taken = 0;
  let served = 0;
  let wait = 0;
  let longest = 0;
  const attempts = Math.min(perMinute * attacker.networks, mostPerMinute);
  for (let minute = 0; minute < minutes; minute += 1) {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      if (await isServed(attacker.addressOf(attempt))) taken += 1;
    }
    const isPersonServed = await isServed(`198.51.${minute}.1`);
    if (isPersonServed) served += 1;
    wait = isPersonServed ? 0 : wait + 1;
    longest = Math.max(longest, wait);
    now += 60_000;
  }
  now += 24 * 3_600_000;
  return `| ${name} | ${taken} | ${served} of ${minutes} | ${longest} |`;
}
