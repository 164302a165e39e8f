// A user of v1 of the service opens the update.
import assert from 'node:assert/strict';
import { memoryStorage } from '@foyer/sdk';
import { screenFor, start } from './page.ts';
import { appKey, options, password, url } from './service.js';

const email = 'v1@example.com';

async function v1(path, body) {
  const response = await fetch(`${url}/api/v1${path}`, {
    method: 'POST',
    headers: { 'X-App-Key': appKey, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  assert.ok(response.ok, `${path} answered ${response.status}`);
  return (await response.json()).data;
}

const results = [];
/** Opens the update on a device with this token; returns what the user sees at the end, and whether the token remains. */
async function open(token, given = options) {
  const values = new Map([['token', token]]);
  const v1Storage = { getItem: (key) => values.get(key) ?? null, removeItem: (key) => values.delete(key) };
  const client = start({ ...given, storage: memoryStorage() }, v1Storage, (result) => results.push(result));
  assert.equal(screenFor(client.auth.state), 'One moment');
  const screen = screenFor(await client.auth.ready());
  const { points } = client.auth.state.status === 'signedIn' ? await client.me.loyalty() : {};
  client.dispose();
  return [screen, points, values.has('token')];
}

const names = { first_name: 'Ada', last_name: 'Lovelace' };
await v1('/register', { ...names, email, password, password_confirmation: password });
const { token } = await v1('/login', { email, password });
const unreachable = { ...options, baseUrl: 'http://127.0.0.1:9/api/v2' };
assert.deepEqual(await open(token, unreachable), ['Sign in', undefined, true]);
assert.deepEqual(await open(token), [`Hello ${email}`, 0, false]);
assert.deepEqual(await open(token), ['Please sign in again', undefined, false]);
assert.deepEqual(results, ['deferred', 'migrated', 'rejected']);
