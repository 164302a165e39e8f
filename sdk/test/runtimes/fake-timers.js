// A page in jsdom or happy-dom, as Vitest has it: the globals of the page over those of Node, and timers that never fire. The
// session is restored, and a call refreshes its token. Arguments: the package of the page, and the folder of the packages.
import { createRequire } from 'node:module';

const [kind, folder] = process.argv.slice(2);
const require = createRequire(`${folder}/`);
setTimeout(() => {
  console.log('hangs');
  process.exit(1);
}, 10_000);

const happyDom = kind === 'jsdom' ? null : await import(require.resolve('happy-dom'));
const window =
  kind === 'jsdom'
    ? new (require('jsdom').JSDOM)('', { url: 'http://localhost:3000/' }).window
    : new happyDom.Window({ url: 'http://localhost:3000/' });
for (const name of ['window', 'document', 'localStorage', 'sessionStorage', 'location', 'navigator']) {
  Object.defineProperty(globalThis, name, {
    value: name === 'window' ? window : window[name],
    configurable: true,
  });
}
const { createClient } = await import('@foyer/sdk');
const { fakeService } = await import('@foyer/sdk/testing');
const service = fakeService();
const first = createClient(service.options);
await first.auth.signUp({ email: 'ada@example.com', password: 'correct horse' });
first.dispose();

// What Vitest replaces by default.
const timers = [
  'setTimeout',
  'clearTimeout',
  'setInterval',
  'clearInterval',
  'setImmediate',
  'clearImmediate',
];
require('@sinonjs/fake-timers').install({ toFake: [...timers, 'Date', 'performance'] });
const client = createClient(service.options);
const { status } = await client.auth.ready();
const { email } = await client.me.get();
client.dispose();
console.log(JSON.stringify({ status, email, channel: typeof BroadcastChannel }));
process.exit();
