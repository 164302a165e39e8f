// The Worker as a handler in Node: sdk/test/runtimes.test.ts runs Workers in workerd.
import assert from 'node:assert/strict';
import { appId, connect, password } from './service.js';
import worker from './worker.ts';

const client = connect();
const email = 'worker@example.com';
await client.auth.signUp({ email, password });
const env = { FOYER_APP_ID: appId, FOYER_SECRET_KEY: process.env.FOYER_SECRET_KEY };
const answer = async (headers) => {
  const response = await worker.fetch(new Request('https://worker.example/', { headers }), env);
  return [response.status, await response.text()];
};
const token = await client.auth.getAccessToken();
assert.deepEqual(await answer({ Authorization: `Bearer ${token}` }), [200, `Hello ${email}`]);
assert.deepEqual(await answer({}), [401, 'Unauthorized']);
