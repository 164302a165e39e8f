import { expect, test } from 'vitest';
import { keyRing } from '../../engines/keys/key-ring.js';
import { systemRandom } from '../lib/crypto/random.js';
import { type DeviceOwner, knownDevice, newDeviceToken } from './device-token.js';

const day = 24 * 60 * 60 * 1_000;
const start = new Date('2026-03-01T10:00:00.123Z').getTime();
const random = systemRandom();
const [first, second] = [
  'first secret key, long enough for it',
  'second secret key, long enough too',
] as const;
const at = (milliseconds: number, ...encryptionKeys: string[]) => ({
  keyRing: keyRing(encryptionKeys.length > 0 ? encryptionKeys : [first], random),
  random,
  clock: { now: () => new Date(start + milliseconds) },
});

const ada: DeviceOwner = { uid: '01ARZ3NDEKTSV4RRFFQ69G5FAV', credentialVersion: 3 };
const token = newDeviceToken(at(0), 'app', ada, null);
const changed = (place: number) =>
  `${token.slice(0, place)}${token[place] === 'A' ? 'B' : 'A'}${token.slice(place + 1)}`;

test.each<[string, ReturnType<typeof at>, string, DeviceOwner | null, string | null, boolean]>([
  ['its own account', at(0), 'app', ada, token, true],
  ['its own account, 90 days later', at(90 * day), 'app', ada, token, true],
  ['its own account, 91 days later', at(91 * day), 'app', ada, token, false],
  ['its own account, by a clock a day behind', at(-day), 'app', ada, token, false],
  ['its own account after a password change', at(0), 'app', { ...ada, credentialVersion: 4 }, token, false],
  ['another account', at(0), 'app', { ...ada, uid: '01ARZ3NDEKTSV4RRFFQ69G5FAW' }, token, false],
  ['the same id in another app', at(0), 'other', ada, token, false],
  ['an email without an account', at(0), 'app', null, token, false],
  ['its own account, but is not there', at(0), 'app', ada, null, false],
  ['its own account, but is empty', at(0), 'app', ada, '', false],
  ['its own account, but is cut', at(0), 'app', ada, token.slice(0, -1), false],
  ['its own account, but is longer', at(0), 'app', ada, `${token}A`, false],
  ['its own account, with another version', at(0), 'app', ada, changed(3), false],
  ['its own account, with another day', at(0), 'app', ada, changed(6), false],
  ['its own account, with another device', at(0), 'app', ada, changed(20), false],
  ['its own account, with another tag', at(0), 'app', ada, changed(40), false],
  ['its own account, while the key before is held', at(0, second, first), 'app', ada, token, true],
  ['its own account, once the key is gone', at(0, second), 'app', ada, token, false],
])('a token sent for %s is recognised or not', (_name, deps, appId, owner, sent, known) => {
  expect(knownDevice(deps, appId, owner, sent) !== null).toBe(known);
});

test('a renewed token has the same device id, and two devices have different ids', () => {
  const idOf = (sent: string) => knownDevice(at(0, second, first), 'app', ada, sent)?.deviceId;
  const renewed = newDeviceToken(at(0, second, first), 'app', ada, token);
  expect(renewed).not.toBe(token);
  expect(idOf(renewed)).toBe(idOf(token));
  expect(idOf(newDeviceToken(at(0), 'app', ada, null))).not.toBe(idOf(token));
});

test('a token that an earlier version issued is recognised', () => {
  const issued = 'dt_AdJQIQABAgMEBQYHCAkKCwwNDg-5bpK9_BLv68GuABvHXgrc';
  const deviceId = Buffer.from([...Array(16).keys()]).toString('base64url');
  expect(knownDevice(at(0), 'app', ada, issued)).toEqual({ uid: ada.uid, deviceId });
});

test('a token does not contain the account id', () => {
  expect(token).toMatch(/^dt_[\w-]{48}$/);
  expect(Buffer.from(token.slice(3), 'base64url').toString('latin1')).not.toContain(ada.uid);
});
