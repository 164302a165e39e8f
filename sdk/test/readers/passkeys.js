// Runs in the browser, whose virtual authenticator consents to everything.
import { createClient } from '@foyer/sdk';
import * as page from './page.ts';

const password = 'correct horse battery staple';

/** Returns what was seen, step by step. */
globalThis.follow = async (options) => {
  const client = createClient(options);
  const seen = [];
  await client.auth.signUp({ email: 'passkey@example.com', password });
  await page.addPasskey(client, async () => password);
  seen.push(...(await page.passkeyNames(client)));
  await page.renameNewest(client, 'Key ring');
  seen.push(...(await page.passkeyNames(client)));
  await client.auth.signOut();
  seen.push(await page.signInWithPasskey(client), client.auth.state.status);
  const stop = page.offerPasskeys(client, (error) => seen.push(error.code));
  stop();
  const { items } = await (await import('@foyer/sdk')).passkeys(client).list();
  for (const { id } of items) await page.removePasskey(client, id);
  seen.push((await page.passkeyNames(client)).length);
  return seen;
};
