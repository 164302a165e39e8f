// A command line with `fileStorage`: signs in, uploads with progress, reads the session in a second client, and ends by itself.
// For Deno, Bun and Node. Arguments: the base URL and the folder of the session.
import { createClient, files } from '@foyer/sdk';
import { fileStorage } from '@foyer/sdk/storage';

const [baseUrl, folder] = process.argv.slice(2);
const start = () => createClient({ baseUrl, appKey: 'app_test', storage: fileStorage(folder) });
const client = start();
const email = `${Math.random()}@example.com`;
const { user } = await client.auth.signUp({ email, password: 'correct horse' });
let steps = 0;
const file = new File(['x'.repeat(500_000)], 'note.txt', { type: 'text/plain' });
await files(client).upload(file, { onProgress: () => (steps += 1) });
const second = start();
await second.auth.ready();
const { uid } = await second.me.get();
await client.me.get();
console.log(JSON.stringify({ isSame: uid === user.uid, hasProgress: steps > 1 }));
// Neither client is disposed of: a watched file must not keep the process alive.
