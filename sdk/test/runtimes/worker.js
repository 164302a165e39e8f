// A Cloudflare Worker that makes everything at module scope, where timers, random values and requests are forbidden.
import { createClient, memoryStorage } from '@foyer/sdk';
import { createAdmin } from '@foyer/sdk/admin';
import { createCookieSessions, createServerClient } from '@foyer/sdk/server';

const app = { baseUrl: 'BASE_URL', appKey: 'app_test' };
const client = createClient({ ...app, storage: memoryStorage() });
const admin = createAdmin({ ...app, appId: 'app1', secretKey: 'sk_1' });
const sessions = createCookieSessions({ ...app, origin: 'https://app.example.com' });

async function answer(token) {
  // The first request signs in; the others refresh at the same time, each in a context of its own.
  if (client.auth.state.status !== 'signedIn') {
    await client.auth.signUp({ email: `${Math.random()}@example.com`, password: 'correct horse' });
  }
  const accessToken = await client.auth.getAccessToken({ forceRefresh: true });
  const { uid: own } = await client.me.get();
  const server = createServerClient({ ...app, accessToken });
  const isSame = (await server.me.get()).uid === own;
  const visitor = sessions.read(new Headers());
  // The scripted service has no such route: its answer shows that the request was sent.
  const refusal = await admin.users.get('u1').catch(({ status }) => status);
  const { uid } = await admin.verifyAccessToken(token);
  return { isSame, visitor, refusal, uid };
}

const failed = (error) => new Response(error.stack, { status: 500 });

export default {
  fetch: (request) =>
    answer(request.headers.get('X-Token')).then((found) => new Response(JSON.stringify(found)), failed),
};
