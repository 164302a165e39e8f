// What is wrong with the files of a relying party's host, row by row.
import { expect, test } from 'vitest';
import { checkAndroidFile, checkAppleFile } from './passkey-settings-rules.js';

const answered = (json: unknown) => ({ status: 200, body: JSON.stringify(json) });
const passkeys = (...origins: string[]) => ({ rp_id: 'example.com', rp_name: 'Example', origins });
const failure = { failure: 'no response in time' };

test.each<[string, Parameters<typeof checkAppleFile>[0], string, RegExp]>([
  [
    'an app',
    answered({ webcredentials: { apps: ['ABCDE12345.com.example.app'] } }),
    'passed',
    /names an app/,
  ],
  [
    'an app after what is none',
    answered({ webcredentials: { apps: [7, 'ABCDE12345.com.example.app'] } }),
    'passed',
    /names an app/,
  ],
  ['no app', answered({ webcredentials: { apps: [] } }), 'failed', /names no app/],
  [
    'an app without its team',
    answered({ webcredentials: { apps: ['com.example.app'] } }),
    'failed',
    /no app/,
  ],
  ['apps that are no list', answered({ webcredentials: { apps: 'ABCDE12345.app' } }), 'failed', /no app/],
  ['no webcredentials', answered({ applinks: {} }), 'failed', /names no app/],
  ['webcredentials of null', answered({ webcredentials: null }), 'failed', /names no app/],
  ['a list', answered([]), 'failed', /names no app/],
  ['no JSON', { status: 200, body: '<html>' }, 'failed', /the file is not JSON\. Only apps of Apple/],
  ['another status', { status: 301, body: '{}' }, 'failed', /status 301, without a redirect it must be 200/],
  ['no answer', failure, 'failed', /: no response in time\./],
])('a file for Apple apps with %s', (_, file, status, message) => {
  expect(checkAppleFile(file)).toEqual({
    ...{ name: 'Apple apps', status, message: expect.stringMatching(message) },
  });
});

const [zeros, ones] = [0, 255].map((byte) => ({
  origin: `android:apk-key-hash:${Buffer.alloc(32, byte).toString('base64url')}`,
  fingerprint: Array(32)
    .fill(byte === 0 ? '00' : 'FF')
    .join(':'),
})) as [Certificate, Certificate];
type Certificate = { origin: string; fingerprint: string };

const relation = 'delegate_permission/common.get_login_creds';
const statement = (fingerprints: unknown, given: object = {}) => ({
  relation: [relation],
  target: { namespace: 'android_app', sha256_cert_fingerprints: fingerprints },
  ...given,
});

test.each<[string, Parameters<typeof checkAndroidFile>[0], string, RegExp]>([
  ['both certificates', answered([statement([zeros.fingerprint, ones.fingerprint])]), 'passed', /names the/],
  [
    'a certificate in each statement, in small letters',
    answered([statement([zeros.fingerprint]), statement([ones.fingerprint.toLowerCase()])]),
    'passed',
    /names the certificate of each/,
  ],
  ['one of two certificates', answered([statement([zeros.fingerprint])]), 'failed', /certificate FF:FF/],
  ['no statements', answered([]), 'failed', /has no statement/],
  ['one statement that is in no list', answered(statement([zeros.fingerprint])), 'failed', /no statement/],
  ['statements of no kind', answered([null, 7, 'text', []]), 'failed', /has no statement/],
  [
    'a relation that is no list',
    answered([statement([zeros.fingerprint, ones.fingerprint], { relation })]),
    'failed',
    /has no statement/,
  ],
  [
    'another relation',
    answered([
      statement([zeros.fingerprint, ones.fingerprint], {
        relation: ['delegate_permission/common.handle_all_urls'],
      }),
    ]),
    'failed',
    /has no statement/,
  ],
  ['no relation', answered([statement([zeros.fingerprint], { relation: null })]), 'failed', /no statement/],
  ['no target', answered([statement([], { target: null })]), 'failed', /has no statement/],
  ['no certificates', answered([statement(undefined)]), 'failed', /has no statement/],
  ['no JSON', { status: 200, body: '<html>' }, 'failed', /the file is not JSON\.$/],
  ['no answer', failure, 'failed', /: no response in time\.$/],
])('a file for Android apps with %s', (_, file, status, message) => {
  const origins = ['https://example.com', zeros.origin, ones.origin];
  expect(checkAndroidFile(file, passkeys(...origins))).toEqual({
    ...{ name: 'Android apps', status, message: expect.stringMatching(message) },
  });
});

test('without an Android app the file is not needed', () => {
  expect(checkAndroidFile(failure, passkeys('https://example.com'))).toEqual({
    name: 'Android apps',
    status: 'skipped',
    message: 'No origin begins with android:apk-key-hash:.',
  });
});
