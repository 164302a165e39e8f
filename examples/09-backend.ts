// An app's own backend, with Express: it verifies access tokens offline on each request, and receives webhooks.
// Run it against your service:
//   FOYER_APP_ID=… FOYER_APP_KEY=pk_… FOYER_SECRET_KEY=sk_… npx tsx examples/09-backend.ts
// The service sends webhooks to this machine when it runs with OUTBOUND_LOOPBACK=on; in production it sends to https URLs only.
import type { AddressInfo } from 'node:net';
import { authorizedFetch, createClient } from '@foyer/sdk';
import { createAdmin, isFoyerError } from '@foyer/sdk/admin';
import { verifyWebhook, WebhookError } from '@foyer/sdk/webhooks';
import express, { type ErrorRequestHandler, type RequestHandler } from 'express';

const baseUrl = process.env.FOYER_BASE_URL ?? 'http://localhost:3000/api/v2';
const appKey = process.env.FOYER_APP_KEY ?? '';
const admin = createAdmin({
  baseUrl,
  appKey,
  appId: process.env.FOYER_APP_ID,
  secretKey: process.env.FOYER_SECRET_KEY,
});

// The backend.
const backend = express();
let webhookSecret = '';
let welcomed = (_email: string) => {};

/** Verifies offline; the public keys are fetched every five minutes. */
const signedIn: RequestHandler = async (request, response, next) => {
  const [, token = ''] = /^Bearer (.+)$/.exec(request.headers.authorization ?? '') ?? [];
  response.locals.user = await admin.verifyAccessToken(token);
  next();
};

backend.get('/orders', signedIn, (_request, response) => {
  response.json({ data: { of: response.locals.user.email, orders: [] } });
});

// The raw body, because re-serialized JSON does not verify.
backend.post('/webhooks', express.raw({ type: 'application/json' }), async (request, response) => {
  const event = await verifyWebhook(request.body, request.headers, webhookSecret);
  // Events can be delivered more than once: a production backend deduplicates by event.id.
  // The email is null after the account's deletion.
  if (event.type === 'user.created' && event.data.user.email) welcomed(event.data.user.email);
  response.sendStatus(204);
});

// Uses the service's envelope, so that `authorizedFetch` detects when to refresh.
const refused: ErrorRequestHandler = (error, _request, response, next) => {
  if (error instanceof WebhookError) response.status(400).json({ error: { code: error.reason } });
  else if (isFoyerError(error, 'client/network')) response.status(503).json({ error: { code: error.code } });
  else if (isFoyerError(error)) response.status(401).json({ error: { code: error.code } });
  else next(error);
};
backend.use(refused);

const server = backend.listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

const webhook = await admin.webhooks.create({ url: `${address}/webhooks`, types: ['user.created'] });
webhookSecret = webhook.secret;

// The app.
const foyer = createClient({ baseUrl, appKey });
const arrived = new Promise<string>((resolve) => {
  welcomed = resolve;
});
const email = `ada-${Date.now()}@example.com`;
await foyer.auth.signUp({ email, password: 'correct horse battery staple' });

const answer = await authorizedFetch(foyer)(`${address}/orders`);
const { data } = (await answer.json()) as { data: { of: string; orders: unknown[] } };
console.log(`hello ${data.of}: orders ${data.orders.length}`);

const nobody = await fetch(`${address}/orders`);
console.log(
  'without a token:',
  nobody.status,
  ((await nobody.json()) as { error: { code: string } }).error.code,
);

const forged = await fetch(`${address}/webhooks`, {
  method: 'POST',
  headers: {
    'Content-Type': 'application/json',
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(Date.now() / 1_000)),
    'webhook-signature': 'v1,AAAA',
  },
  body: '{"type":"user.created"}',
});
console.log('somebody else’s webhook:', forged.status);

console.log(`welcome ${await arrived} (user.created)`);

await admin.webhooks.delete(webhook.id);
await foyer.me.delete();
foyer.dispose();
server.close();
