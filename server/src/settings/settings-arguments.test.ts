import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { settingsOfArguments } from './settings-arguments.js';

test('dotted names and values become a patch', () => {
  expect(
    settingsOfArguments([
      'sign_up=closed',
      'access_token_seconds=600',
      'deep_link=https://app.example.com/in?x=1',
      'allowed_origins=["https://app.example.com"]',
      'mail.from_name=Example & Co',
      'mail.reply_to=null',
      'provider_a.client_ids.web=web-client',
      'provider_a.client_ids.ios=["ios-client","ios-staging"]',
    ]),
  ).toEqual({
    sign_up: 'closed',
    access_token_seconds: 600,
    deep_link: 'https://app.example.com/in?x=1',
    allowed_origins: ['https://app.example.com'],
    mail: { from_name: 'Example & Co', reply_to: null },
    provider_a: { client_ids: { web: ['web-client'], ios: ['ios-client', 'ios-staging'] } },
  });
});

test('a value that starts with @ is read from that file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'foyer-words-'));
  const file = join(folder, 'key.p8');
  const pem = '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n';
  writeFileSync(file, pem);
  expect(settingsOfArguments([`provider_b.private_key=@${file}`])).toEqual({
    provider_b: { private_key: pem },
  });
  rmSync(folder, { recursive: true });
});

test('a list in a file is read as JSON, also after a byte order mark', () => {
  const folder = mkdtempSync(join(tmpdir(), 'foyer-words-'));
  const [origins, uris] = [join(folder, 'origins.json'), join(folder, 'uris.json')];
  writeFileSync(origins, '[\n  "https://app.example.com"\n]\n');
  writeFileSync(uris, '\ufeff["https://app.example.com/signed-in"]');
  expect(settingsOfArguments([`allowed_origins=@${origins}`, `redirect_uris=@${uris}`])).toEqual({
    allowed_origins: ['https://app.example.com'],
    redirect_uris: ['https://app.example.com/signed-in'],
  });
  rmSync(folder, { recursive: true });
});

test.each([
  [['sign_up'], /not of the form name=value/],
  [['=x'], /not of the form name=value/],
  [['no_such_setting=1'], /no_such_setting/],
  [['x=1'], /^(?!.*name=value).*x/s],
  [['access_token_seconds=299'], /access_token_seconds/],
  [['mail=1', 'mail.reply_to=a@example.com'], /set twice/],
  [['mail=null', 'mail.reply_to=a@example.com'], /set twice/],
  [['mail={}', 'mail.__proto__.x=1'], /set twice/],
  [['mail.reply_to=a@example.com', 'mail={}'], /set twice/],
  [['sign_up=open', 'sign_up=closed'], /set twice/],
  [['__proto__.x=1'], /settings|__proto__/],
])('%j is refused with an error message', (words, sentence) => {
  expect(() => settingsOfArguments(words)).toThrow(sentence);
  expect(({} as { x?: unknown }).x).toBeUndefined();
});
