import { createECDH } from 'node:crypto';
import { expect, test } from 'vitest';
import { systemRandom } from '../../src/lib/crypto/random.js';
import { manualClock } from '../../test/harness.js';
import type { SsrfSafeFetch } from '../safe-fetch/index.js';
import { newVapidKeys } from './vapid.js';
import { encryptFor, webPushSender } from './web-push.js';

const bytes = (text: string) => Buffer.from(text, 'base64url');

test('a message is encrypted exactly as in the example of RFC 8291, section 5', () => {
  const receiver = {
    p256dh: bytes('BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'),
    auth: bytes('BTBZMqHH6r4Tts7J_aSIgg'),
  };
  const chance = {
    salt: bytes('DGv6ra1nlYgDCS1FRnbzlw'),
    privateKey: bytes('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw'),
  };
  const body = encryptFor(receiver, Buffer.from('When I grow up, I want to be a watermelon'), chance);
  expect(body.toString('base64url')).toBe(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27ml' +
      'mlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPT' +
      'pK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  );
});

test('the authorization for an origin is signed once, and again for another origin', async () => {
  const sent: (string | undefined)[] = [];
  const ssrfSafeFetch: SsrfSafeFetch = {
    ...({} as SsrfSafeFetch),
    async send(_url, { headers }) {
      sent.push(headers.Authorization);
      return { status: 201, headers: {}, body: Buffer.alloc(0) };
    },
  };
  const { send } = webPushSender({ ssrfSafeFetch, clock: manualClock(), random: systemRandom() });
  const identity = { keys: newVapidKeys(), subject: 'mailto:push@example.com' };
  const receiver = { p256dh: createECDH('prime256v1').generateKeys(), auth: Buffer.alloc(16) };
  for (const endpoint of ['https://one.example/a', 'https://one.example/b', 'https://two.example/a']) {
    await send(identity, { endpoint, ...receiver }, { headers: {}, body: '{}' });
  }
  expect(sent.map((header) => sent.indexOf(header))).toEqual([0, 0, 2]);
});
