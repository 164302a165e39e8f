// `npm run proofs -w @foyer/server -- parallel-refreshes`: sends each refresh token to two instances at the same time, as a client with two
// tabs does. Both answers must hold the same successor, and at the end each session must have been spent once a token.
//   --count 100000    refreshes, two for each token
import { randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';
import { parseArgs } from 'node:util';
import { keyRing } from '../../engines/keys/key-ring.js';
import { systemRandom } from '../../src/lib/crypto/random.js';
import { onDatabase, usersPerApp, withDatabase } from '../bench/database.js';
import { seededApp, startService } from '../bench/processes.js';
import { serviceTarget } from '../bench/targets.js';

const { values } = parseArgs({ options: { count: { type: 'string', default: '100000' } } });
const count = Math.ceil(Number(values.count) / 2);
const atOnce = 16;

const encryptionKey = randomBytes(32).toString('base64');
const keys = keyRing([encryptionKey], systemRandom());
const agent = new Agent({ keepAlive: true });
const tally = { forks: 0, refused: new Map<string, number>() };

await withDatabase(async (databaseUrl) => {
  const environment = { DATABASE_URL: databaseUrl, ENCRYPTION_KEYS: encryptionKey, RATE_LIMITS: 'off' };
  const app = await seededApp(environment, 'parallel', keys.currentKeyId);
  const instances = [await startService(environment), await startService(environment)];
  const { refreshTokens, paths } = serviceTarget(app.app_key, app.app_id, '', keys);
  const startedAt = performance.now();
  let spent = 0;
  let next = 0;

  const spend = async (user: number) => {
    const body = JSON.stringify({ refresh_token: refreshTokens[user] });
    const answers = await Promise.all(
      instances.map(({ port }) => post(port, paths.refresh, app.app_key, body)),
    );
    const successors = new Set<string>();
    for (const { status, text } of answers) {
      if (status === 200) successors.add(JSON.parse(text).data.refresh_token);
      else tally.refused.set(`${status} ${text}`, (tally.refused.get(`${status} ${text}`) ?? 0) + 1);
    }
    if (successors.size > 1) tally.forks += 1;
    for (const successor of successors) refreshTokens[user] = successor;
    spent += 1;
    if (spent % 1_000 === 0) process.stderr.write(`\r${spent} of ${count} tokens`);
  };
  const client = async () => {
    while (next < count) {
      const user = next % usersPerApp;
      next += 1;
      await spend(user);
    }
  };
  // Far fewer clients than users: no session is spent by two of them at a time.
  await Promise.all(Array.from({ length: atOnce }, client));
  const seconds = Math.round((performance.now() - startedAt) / 1_000);

  const [stored] = await onDatabase(databaseUrl, async (client) => {
    const sql =
      'SELECT sum(generation)::int AS spends, count(ended_at)::int AS ended FROM sessions WHERE app_id = $1';
    return (await client.query<{ spends: number; ended: number }>(sql, [app.app_id])).rows;
  });
  for (const instance of instances) await instance.stop();
  for (const [answer, times] of tally.refused) console.log(`${times} times: ${answer}`);
  console.log(
    `\n${2 * count} refreshes of ${count} tokens, each at two instances at the same time, in ${seconds} s: ${tally.forks} double spends; ` +
      `${stored?.spends} spends stored, ${stored?.ended} sessions ended`,
  );
  const isRight = tally.forks === 0 && tally.refused.size === 0 && stored?.spends === count && !stored.ended;
  process.exitCode = isRight ? 0 : 1;
});
agent.destroy();

function post(port: number, path: string, appKey: string, body: string) {
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const headers = {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
      'X-App-Key': appKey,
    };
    const sent = request({ port, host: '127.0.0.1', path, method: 'POST', headers, agent }, (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (chunk) => {
        text += chunk;
      });
      answer.on('error', reject);
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
