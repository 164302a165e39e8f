// The next release of before.ts, on v2. Its users stay signed in: the first start exchanges the token that before.ts stored.
// Run it against your service:  FOYER_APP_KEY=pk_… npx tsx examples/v1-app/after.ts show
import { readFile, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createClient, isFoyerError, v1Migration } from '@foyer/sdk';
import { fileStorage } from '@foyer/sdk/storage';

const folder = process.env.POINTS_DIR ?? join(homedir(), '.config', 'points');
const tokenFile = join(folder, 'token');

const client = createClient({
  baseUrl: process.env.FOYER_BASE_URL ?? 'http://localhost:3000/api/v2',
  appKey: process.env.FOYER_APP_KEY ?? '',
  storage: fileStorage(join(folder, 'session')),
  migrateV1: v1Migration({
    async read() {
      try {
        return await readFile(tokenFile, 'utf8');
      } catch (error) {
        // There is no token if the file is missing; any other error is thrown.
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
        throw error;
      }
    },
    clear: () => rm(tokenFile, { force: true }),
    onResult: (result) => console.log(`the v1 token was ${result}`),
  }),
});

const commands: Record<string, (email: string, password: string) => Promise<unknown>> = {
  async register(email, password) {
    await client.auth.signUp({ email, password, first_name: 'Ada', last_name: 'Lovelace' });
    console.log(`registered and signed in as ${email}`);
  },
  async 'sign-in'(email, password) {
    await client.auth.signIn({ email, password });
    console.log(`signed in as ${email}`);
  },
  async show() {
    const { first_name } = await client.me.get();
    const { points, tier } = await client.me.loyalty();
    console.log(`hello ${first_name}: ${points} points, ${tier}`);
  },
  'sign-out': () => client.auth.signOut(),
};

const messages: Record<string, string> = {
  'auth/email-already-in-use': 'this email has an account: sign in',
  'auth/weak-password': 'choose a longer, less common password',
  'auth/invalid-credential': 'wrong email or password',
  'client/network': 'the service cannot be reached',
};

const [command = '', email = '', password = ''] = process.argv.slice(2);
const run = commands[command];
if (!run) {
  console.error(`usage: after.ts ${Object.keys(commands).join(' | ')}`);
  process.exit(2);
}
try {
  await run(email, password);
} catch (error) {
  if (!isFoyerError(error)) throw error;
  if (command === 'register' || command === 'sign-in') {
    console.error(messages[error.code] ?? error.code);
    process.exitCode = 1;
  } else if (isFoyerError(error, 'client/network')) {
    console.log('the service cannot be reached; you remain signed in');
  } else if (isFoyerError(error, 'client/signed-out')) console.log('please sign in');
  else throw error;
}
client.dispose();
