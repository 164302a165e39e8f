// Allowed origins: which spellings a setting takes, and which origins of requests they then allow.
import { AppSettingsPatch } from '@foyer/contract';
import { expect, test } from 'vitest';
import { allowsOrigin } from './allowed-origins.js';

const stored = (origin: string) =>
  AppSettingsPatch.safeParse({ allowed_origins: [origin] }).data?.allowed_origins?.[0] ?? null;

test.each([
  ['https://app.example.com', 'https://app.example.com'],
  [' https://app.example.com/ ', 'https://app.example.com'],
  ['\u200bhttps://app.example.com\u2060', 'https://app.example.com'],
  ['HTTPS://App.Example.COM', 'https://app.example.com'],
  ['https://app.example.com:443', 'https://app.example.com'],
  ['http://app.example.com:80/', 'http://app.example.com'],
  ['https://app.example.com:8443', 'https://app.example.com:8443'],
  ['https://bücher.example', 'https://xn--bcher-kva.example'],
  ['http://localhost:3000', 'http://localhost:3000'],
  ['http://[::1]:3000', 'http://[::1]:3000'],
  ['http://192.168.1.5:8100', 'http://192.168.1.5:8100'],
  ['https://*.example.com', 'https://*.example.com'],
  ['https://*.Example.com:443/', 'https://*.example.com'],
  ['https://*.preview.bücher.example:8443', 'https://*.preview.xn--bcher-kva.example:8443'],
  ['http://*.localhost:3000', 'http://*.localhost:3000'],
  ['capacitor://localhost', 'capacitor://localhost'],
  ['Ionic://localhost/', 'ionic://localhost'],
  ['tauri://localhost', 'tauri://localhost'],
  ['http://tauri.localhost', 'http://tauri.localhost'],
  ['https://tauri.localhost', 'https://tauri.localhost'],
  [
    'chrome-extension://aapbdbdomjkkjkaonfhkkikfgjllcleb',
    'chrome-extension://aapbdbdomjkkjkaonfhkkikfgjllcleb',
  ],
  [
    'moz-extension://1f2e3d4c-5b6a-7980-1f2e-3d4c5b6a7980/',
    'moz-extension://1f2e3d4c-5b6a-7980-1f2e-3d4c5b6a7980',
  ],
  ['safari-web-extension://1F2E3D4C-5B6A', 'safari-web-extension://1F2E3D4C-5B6A'],
  ['app://-', 'app://-'],
  ['app://.', 'app://.'],
  ['com.example.app://host', 'com.example.app://host'],
  ['file', 'null'],
  ['file://', 'null'],
  ['file:///', 'null'],
  ['null', 'null'],
])('%s is stored as the browser sends it: %s, and allows it', (given, origin) => {
  expect(stored(given)).toBe(origin);
  expect(stored(origin)).toBe(origin);
  expect(allowsOrigin([origin], origin.replace('*', 'a'))).toBe(true);
});

test.each([
  'app.example.com',
  'localhost:3000',
  '//app.example.com',
  'https://',
  'https:app.example.com',
  'https://app.example.com/x',
  'https://app.example.com//',
  'https://app.example.com?x',
  'https://app.example.com/?',
  'https://app.example.com#',
  'https://a:b@app.example.com',
  'https://@app.example.com',
  'https://app.example.com, https://b.example',
  'https://app.example.com:*',
  '*',
  'https://*',
  '*.example.com',
  'https://*.com',
  'https://*.com:443',
  'https://*example.com',
  'https://*.*.example.com',
  'https://a.*.example.com',
  'https://example.*',
  'https://*.192.168.1.5',
  'https://*.[::1]',
  'https://*.example..com',
  'chrome-extension://*.example.com',
  'chrome-extension://*',
  'capacitor://',
  'javascript://x',
  'data:text/html,x',
  'blob:https://a.example',
  'about:blank',
  'ws://a.example',
  'https:\\\\a.example',
  'https://a b.example',
  '',
])('%s is refused', (given) => {
  expect(stored(given)).toBeNull();
});

test.each([
  ['https://*.example.com', 'https://a.example.com', true],
  ['https://*.example.com', 'https://a.b-c.d_e.example.com', true],
  ['https://*.example.com', 'https://xn--bcher-kva.example.com', true],
  ['https://*.example.com', 'https://example.com', false],
  ['https://*.example.com', 'https://.example.com', false],
  ['https://*.example.com', 'https://a..example.com', false],
  ['https://*.example.com', 'https://aexample.com', false],
  ['https://*.example.com', 'https://a.example.com.evil.example', false],
  ['https://*.example.com', 'https://evil.example/.example.com', false],
  ['https://*.example.com', 'https://evil.example#.example.com', false],
  ['https://*.example.com', 'https://evil.example:1@a.example.com', false],
  ['https://*.example.com', 'https://evil.example:80.example.com', false],
  ['https://*.example.com', 'http://a.example.com', false],
  ['https://*.example.com', 'https://a.example.com:8443', false],
  ['https://*.example.com:8443', 'https://a.example.com:8443', true],
  ['https://*.example.com:8443', 'https://a.example.com', false],
  ['https://*.example.com', 'https://A.example.com', false],
  ['https://*.example.com', 'null', false],
  ['https://*.example.com', '', false],
  ['null', 'null', true],
  ['null', 'file://', true],
  ['https://app.example.com', 'null', false],
  ['https://app.example.com', 'file://', false],
  ['chrome-extension://abc', 'chrome-extension://abd', false],
])('%s and the origin %s: %s', (pattern, origin, isAllowed) => {
  expect(allowsOrigin(['https://other.example', pattern], origin)).toBe(isAllowed);
});

test('a long origin is judged in linear time', () => {
  const began = process.cpuUsage().user;
  for (const part of ['a', 'a.', '.', '-'])
    allowsOrigin(['https://*.example.com'], `https://${part.repeat(8_000)}!.example.com`);
  expect(process.cpuUsage().user - began).toBeLessThan(500_000);
});
