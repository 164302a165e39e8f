// Web Push: encrypts the message for one subscription (RFC 8291, with the encoding of RFC 8188) and sends it to its
// endpoint with VAPID authorization (RFC 8292). A client chooses the endpoint: ssrfSafeFetch sends to it. Not the
// package web-push, which is under the MPL and makes its own requests; its encryption is these few lines.
import { createCipheriv, createECDH, hkdfSync } from 'node:crypto';
import type { Clock } from '../../src/lib/clock.js';
import type { Random } from '../../src/lib/crypto/random.js';
import { recentValues } from '../../src/lib/recent-values.js';
import { hourMilliseconds, secondsOf } from '../../src/lib/timestamp.js';
import type { SsrfSafeFetch } from '../safe-fetch/index.js';
import { type VapidKeys, vapidAuthorization } from './vapid.js';

type Subscription = { endpoint: string; p256dh: Buffer; auth: Buffer };
type Identity = { keys: VapidKeys; subject: string };
type Message = { headers: Record<string, string>; body: string };

export type WebPushSender = ReturnType<typeof webPushSender>;

/** An attacker may choose the endpoint: it can occupy a send slot at most this long. */
const timeoutMilliseconds = 5_000;
const recordBytes = 4_096;
const storedHeaders = { milliseconds: hourMilliseconds, entries: 1_000 };

export function webPushSender(deps: { ssrfSafeFetch: SsrfSafeFetch; clock: Clock; random: Random }) {
  const headers = recentValues<string>(deps.clock, storedHeaders);

  async function authorization({ keys, subject }: Identity, origin: string): Promise<string> {
    const name = `${keys.publicKey} ${subject} ${origin}`;
    const known = headers.get(name);
    if (known) return known;
    const header = await vapidAuthorization(keys, subject, origin, secondsOf(deps.clock.now()));
    headers.set(name, header);
    return header;
  }

  return {
    /** Rejects with a ForbiddenUrlError or a network error. */
    async send(identity: Identity, { endpoint, p256dh, auth }: Subscription, message: Message) {
      const chance = { salt: deps.random.bytes(16), privateKey: deps.random.bytes(32) };
      const answer = await deps.ssrfSafeFetch.send(endpoint, {
        headers: {
          ...message.headers,
          Authorization: await authorization(identity, new URL(endpoint).origin),
          'Content-Type': 'application/octet-stream',
          'Content-Encoding': 'aes128gcm',
        },
        body: encryptFor({ p256dh, auth }, Buffer.from(message.body), chance),
        timeoutMilliseconds,
        maxAnswerBytes: 1_024,
      });
      return {
        status: answer.status,
        location: oneOf(answer.headers.location),
        retryAfter: oneOf(answer.headers['retry-after']),
      };
    },
  };
}

export function encryptFor(
  receiver: Pick<Subscription, 'p256dh' | 'auth'>,
  plaintext: Buffer,
  chance: { salt: Buffer; privateKey: Buffer },
): Buffer {
  const { salt } = chance;
  const ecdh = createECDH('prime256v1');
  ecdh.setPrivateKey(chance.privateKey);
  const sender = ecdh.getPublicKey();
  const about = Buffer.concat([Buffer.from('WebPush: info\0'), receiver.p256dh, sender]);
  const secret = hkdf(ecdh.computeSecret(receiver.p256dh), receiver.auth, about, 32);
  const key = hkdf(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
  const nonce = hkdf(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12);

  const header = Buffer.alloc(21);
  salt.copy(header);
  header.writeUInt32BE(recordBytes, 16);
  header.writeUInt8(sender.length, 20);
  const cipher = createCipheriv('aes-128-gcm', key, nonce);
  // 2 marks the last record, and there is only one.
  const record = Buffer.concat([cipher.update(plaintext), cipher.update(Buffer.from([2])), cipher.final()]);
  return Buffer.concat([header, sender, record, cipher.getAuthTag()]);
}

function hkdf(input: Buffer, salt: Buffer, info: Buffer, bytes: number): Buffer {
  return Buffer.from(hkdfSync('sha256', input, salt, info, bytes));
}

function oneOf(header: string | string[] | undefined): string | null {
  return (Array.isArray(header) ? header[0] : header) ?? null;
}
