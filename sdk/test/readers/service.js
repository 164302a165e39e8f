// What the reader of a page has: the service that `foyer dev` runs, its mailbox, an authenticator app and identity providers.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { createClient, memoryStorage } from '@foyer/sdk';
import { createAdmin } from '@foyer/sdk/admin';

export const {
  FOYER_URL: url,
  FOYER_APP_ID: appId,
  FOYER_APP_KEY: appKey,
  FOYER_PROVIDER: provider,
} = process.env;
export const options = { baseUrl: `${url}/api/v2`, appKey };
export const password = 'correct horse battery staple';

export const admin = createAdmin({ ...options, appId, secretKey: process.env.FOYER_SECRET_KEY });
export const connect = () => createClient({ ...options, storage: memoryStorage() });

const read = new Set();

/** What a mail to an email has that was not read before; mails are sent after the response. */
async function newOf(email, name) {
  for (let tries = 0; tries < 200; tries += 1) {
    const answer = await fetch(`${url}/dev/mailbox?to=${encodeURIComponent(email)}`, {
      headers: { Accept: 'application/json' },
    });
    const { data } = await answer.json();
    const mail = data.items.find((each) => each[name] !== null && !read.has(each.text));
    if (mail) {
      read.add(mail.text);
      return mail[name];
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return assert.fail('no mail has arrived');
}
export const codeFor = (email) => newOf(email, 'code');
export const linkFor = (email) => newOf(email, 'link');

/** A code of the authenticator app, so many periods later (RFC 6238). */
export function totpOf(secret, later = 0) {
  const bits = [...secret].map((each) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(each).toString(2).padStart(5, '0'),
  );
  const bytes = bits
    .join('')
    .match(/.{8}/g)
    .map((byte) => Number.parseInt(byte, 2));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + later));
  const mac = createHmac('sha1', Buffer.from(bytes)).update(counter).digest();
  const value = mac.readUInt32BE(mac.at(-1) & 15) & 0x7fffffff;
  return String(value % 1_000_000).padStart(6, '0');
}

/** What the button of a provider returns: an ID token and an authorization code. */
export async function fromProvider(given) {
  const answer = await fetch(`${provider}?${new URLSearchParams(given)}`);
  return answer.json();
}
