// Pages that an Express backend renders for signed-in users. The refresh token is in a cookie of the app, which no script can
// read; the pages' scripts call an API of the same backend with access tokens, which it verifies.
// Run it against your service:
//   FOYER_APP_ID=… FOYER_APP_KEY=pk_… npx tsx examples/11-express-pages.ts
import type { AddressInfo } from 'node:net';
import { createAdmin, isFoyerError } from '@foyer/sdk/admin';
import { createCookieSessions, createServerClient, nodeHandlers } from '@foyer/sdk/server';
import express from 'express';

const connection = {
  baseUrl: process.env.FOYER_BASE_URL ?? 'http://localhost:3000/api/v2',
  appKey: process.env.FOYER_APP_KEY ?? '',
};
const admin = createAdmin({ ...connection, appId: process.env.FOYER_APP_ID });

// The backend.
const backend = express();
const server = backend.listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const sessions = createCookieSessions({ ...connection, origin });
const { handle, renew } = nodeHandlers(sessions);

// Sign-in, refresh and sign-out for `createClient({ ...connection, ...cookieSession() })` in the browser.
backend.use('/api/auth', handle);

backend.get('/', renew, async (request, response) => {
  const session = sessions.read(request.headers);
  if (!session) return response.redirect('/sign-in');
  const { me } = createServerClient({ ...connection, accessToken: session.accessToken });
  try {
    const [user, devices] = await Promise.all([me.get(), me.sessions()]);
    response.type('text').send(`hello ${user.email}: ${devices.items.length} device`);
  } catch (error) {
    if (!isFoyerError(error, 'auth/invalid-token')) throw error;
    // The session has ended since its access token was issued.
    response.redirect('/sign-in');
  }
});

// Pages call this with `authorizedFetch`.
backend.get('/api/orders', async (request, response) => {
  try {
    const { email } = await admin.verifyAccessToken(
      request.get('Authorization')?.slice('Bearer '.length) ?? '',
    );
    response.json({ data: { of: email, orders: [] } });
  } catch (error) {
    if (!isFoyerError(error)) throw error;
    // Uses the service's envelope, so that `authorizedFetch` detects when to refresh.
    const status = error.code === 'client/network' ? 503 : 401;
    response.status(status).json({ error: { code: error.code } });
  }
});

// The browser, as far as this program needs one: it keeps cookies, and says which page a request comes from.
const cookies = new Map<string, string>();
async function browse(path: string, body?: object, page = origin) {
  const headers = { Cookie: [...cookies].map((pair) => pair.join('=')).join('; ') };
  const post = { method: 'POST', body: JSON.stringify(body) };
  const response = await fetch(origin + path, {
    redirect: 'manual',
    ...(body
      ? { ...post, headers: { ...headers, Origin: page, 'Content-Type': 'application/json' } }
      : { headers }),
  });
  for (const cookie of response.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
    if (value) cookies.set(name, value);
    else cookies.delete(name);
  }
  return response;
}

const credential = { email: `ada-${Date.now()}@example.com`, password: 'correct horse battery staple' };
const signedUp = await (await browse('/api/auth/sign-up', credential)).text();
const { data } = JSON.parse(signedUp) as { data: { access_token: string } };
console.log(await (await browse('/')).text());
console.log('no script reads the refresh token:', !signedUp.includes('rt_'));

const orders = await fetch(`${origin}/api/orders`, {
  headers: { Authorization: `Bearer ${data.access_token}` },
});
console.log('the API:', orders.status, await orders.text());

const forged = await browse('/api/auth/sign-out', {}, 'https://evil.example');
console.log('another site:', forged.status);

await browse('/api/auth/sign-out', {});
const { status, headers } = await browse('/');
console.log('signed out:', status, headers.get('Location'), `${cookies.size} cookies`);

// Ended on another device, while the cookies here still have an access token.
const signedIn = await browse('/api/auth/sign-in', credential);
const { data: again } = (await signedIn.json()) as { data: { access_token: string } };
const elsewhere = createServerClient({ ...connection, accessToken: again.access_token });
for await (const session of elsewhere.me.sessions()) await elsewhere.me.endSession(session.id);
const ended = await browse('/');
console.log('ended elsewhere:', ended.status, ended.headers.get('Location'));
server.close();
