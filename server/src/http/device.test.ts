import { expect, test } from 'vitest';
import type { Device } from '../model/session.js';
import { deviceOf } from './device.js';

const chrome =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.6778.85 Safari/537.36';
const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1';
const ipad =
  'Mozilla/5.0 (iPad; CPU OS 16_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.6 Mobile/15E148 Safari/604.1';
const android = 'Mozilla/5.0 (Android 15; Mobile; rv:131.0) Gecko/131.0 Firefox/131.0';

const windows =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.6778.85 Safari/537.36';

const nothing: Device = { name: null, type: 'unknown', os: null, browser: null, appVersion: null };

test.each<[string, Record<string, string>, Partial<Device>]>([
  ['a desktop browser', { 'user-agent': chrome }, { type: 'desktop', os: 'Linux', browser: 'Chrome 131' }],
  ['a PC with Windows', { 'user-agent': windows }, { type: 'desktop', os: 'Windows', browser: 'Chrome 131' }],
  ['a phone', { 'user-agent': iphone }, { type: 'mobile', os: 'iOS 17.5', browser: 'Safari 17' }],
  ['a tablet', { 'user-agent': ipad }, { type: 'tablet', os: 'iOS 16.6', browser: 'Safari 16' }],
  ['another phone', { 'user-agent': android }, { type: 'mobile', os: 'Android 15', browser: 'Firefox 131' }],
  ['no User-Agent', {}, {}],
  ['an empty User-Agent', { 'user-agent': '' }, {}],
  [
    'an app that says what it is',
    { 'x-client-device': "Ada's phone", 'x-client-version': '4.2.0' },
    { name: "Ada's phone", appVersion: '4.2.0' },
  ],
  ['UTF-8 in a header', { 'x-client-device': asHeader('Adas Händi 📱') }, { name: 'Adas Händi 📱' }],
  ['a percent-encoded name', { 'x-client-device': 'Ada%E2%80%99s %F0%9F%93%B1' }, { name: 'Ada’s 📱' }],
  ['a name with a percent sign', { 'x-client-device': 'Ada 100%' }, { name: 'Ada 100%' }],
  [
    'a percent-encoded name that would turn the text around it',
    { 'x-client-device': '%E2%80%AEgpj.exe%0A%00' },
    { name: 'gpj.exe' },
  ],
  ['a name of spaces', { 'x-client-device': '   ' }, {}],
  ['a name of invisible characters', { 'x-client-device': '%E2%80%8B%0A' }, {}],
  ['a name of 100 characters', { 'x-client-device': asHeader('📱'.repeat(100)) }, { name: '📱'.repeat(100) }],
  ['a name of 101 characters', { 'x-client-device': asHeader('📱'.repeat(101)) }, { name: '📱'.repeat(100) }],
  [
    'a name that would turn the text around it',
    { 'x-client-device': asHeader('\u202Egpj.exe\u200B') },
    { name: 'gpj.exe' },
  ],
  ['bytes that are no UTF-8', { 'x-client-device': 'caf\u00e9\u00ff' }, { name: 'caf' }],
])('the device of %s', (_what, headers, device) => {
  expect(deviceOf(headers)).toEqual({ ...nothing, ...device });
});

test('every User-Agent yields a device, however long or malformed', () => {
  for (const odd of [
    'x'.repeat(100_000),
    '()'.repeat(5_000),
    '__proto__',
    'Mozilla/5.0 (',
    '\u00ff\u00fe',
    '%00',
  ]) {
    const device = deviceOf({ 'user-agent': odd });
    expect(Object.keys(device).sort()).toEqual(Object.keys(nothing).sort());
  }
});

/** Text as Node returns header bytes: one character per byte. */
function asHeader(text: string): string {
  return Buffer.from(text).toString('latin1');
}

test('a User-Agent is read up to 512 characters', () => {
  const browserOf = (before: number) =>
    deviceOf({ 'user-agent': `${'x'.repeat(before)} Firefox/13` }).browser;
  expect(browserOf(501)).toBe('Firefox 13');
  expect(browserOf(502)).toBe('Firefox');
});
