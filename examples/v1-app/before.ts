// A command line on v1 of the service, as its users have it today. after.ts is the next release of the same app: it moves to v2.
// Run it against your service:  FOYER_APP_KEY=pk_… npx tsx examples/v1-app/before.ts register ada@example.com 'a long password'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

const baseUrl = (process.env.FOYER_BASE_URL ?? 'http://localhost:3000/api/v2').replace(/v2$/, 'v1');
const appKey = process.env.FOYER_APP_KEY ?? '';
const folder = process.env.POINTS_DIR ?? join(homedir(), '.config', 'points');
const tokenFile = join(folder, 'token');

interface V1User {
  first_name: string;
  points: number;
  tier: string;
}

async function call<T>(method: string, path: string, body?: object): Promise<T> {
  const token = await readFile(tokenFile, 'utf8').catch(() => '');
  const response = await fetch(baseUrl + path, {
    method,
    headers: {
      'X-App-Key': appKey,
      'Content-Type': 'application/json',
      ...(token && { Authorization: `Bearer ${token}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as { data: T; message: string };
  if (!response.ok) throw Object.assign(new Error(answer.message), { status: response.status });
  return answer.data;
}

async function signIn(email: string, password: string): Promise<void> {
  const { token } = await call<{ token: string }>('POST', '/login', { email, password });
  await mkdir(dirname(tokenFile), { recursive: true });
  await writeFile(tokenFile, token, { mode: 0o600 });
  console.log(`signed in as ${email}`);
}

const commands: Record<string, (email: string, password: string) => Promise<void>> = {
  async register(email, password) {
    const names = { first_name: 'Ada', last_name: 'Lovelace' };
    await call('POST', '/register', { ...names, email, password, password_confirmation: password });
    await signIn(email, password);
  },
  'sign-in': signIn,
  async show() {
    const { user } = await call<{ user: V1User }>('GET', '/me');
    console.log(`hello ${user.first_name}: ${user.points} points, ${user.tier}`);
  },
  async 'sign-out'() {
    await call('POST', '/logout');
    await rm(tokenFile);
  },
};

const [command = '', email = '', password = ''] = process.argv.slice(2);
const run = commands[command];
if (!run) {
  console.error(`usage: before.ts ${Object.keys(commands).join(' | ')}`);
  process.exit(2);
}
try {
  await run(email, password);
} catch (error) {
  const { status, message } = error as Error & { status?: number };
  if (status === undefined) throw error;
  if (command === 'register' || command === 'sign-in') {
    console.error(message);
    process.exitCode = 1;
  } else if (status === 401) {
    // v1 has no error codes: the status says that nobody is signed in.
    console.log('please sign in');
  } else throw error;
}
