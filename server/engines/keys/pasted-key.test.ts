// Every form in which a key is pasted, and every key that cannot work.
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { readPrivateKey } from './pasted-key.js';
import { readServiceAccount } from './pasted-service-account.js';

const keyOn = (namedCurve: string) => generateKeyPairSync('ec', { namedCurve });
const rsaOf = (modulusLength: number) => generateKeyPairSync('rsa', { modulusLength });
const pemOf = (key: KeyObject, type: 'pkcs8' | 'sec1' | 'pkcs1' = 'pkcs8') =>
  key.export({ type, format: 'pem' }).toString();

const ec = keyOn('P-256');
const otherEc = keyOn('P-256');
const rsa = rsaOf(2_048);
const pem = pemOf(ec.privateKey);
const sec1 = pemOf(ec.privateKey, 'sec1');
const rsaPem = pemOf(rsa.privateKey);
const base64 = (text: string) => Buffer.from(text).toString('base64');
const inJson = (text: string) => JSON.stringify({ private_key: text });
const body = pem.split('\n').slice(1, -2).join('\n');
const parameters = '-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n';

describe('an elliptic curve key', () => {
  test.each<[string, string]>([
    ['as the file has it', pem],
    ['without a line end', pem.trim()],
    ['with CRLF', pem.replaceAll('\n', '\r\n')],
    ['with CR', pem.replaceAll('\n', '\r')],
    ['with a BOM', `\ufeff${pem}`],
    ['between white space and text', `  My key:\n\n${pem}\n(do not share)\n`],
    ['indented', pem.replaceAll('\n', '\n    ')],
    ['on one line with spaces', pem.replaceAll('\n', ' ')],
    ['on one line without spaces', pem.replaceAll('\n', '')],
    ['with written-out line ends', pem.replaceAll('\n', '\\n')],
    ['with written-out CRLF', pem.replaceAll('\n', '\\r\\n')],
    ['with line ends written out twice', pem.replaceAll('\n', '\\\\n')],
    ['in quotation marks', `"${pem.replaceAll('\n', '\\n')}"`],
    ['in quotation marks, on several lines', `"${pem}"`],
    ['in single quotation marks', `'${pem.trim()}'`],
    ['as a JSON string', JSON.stringify(pem)],
    ['in a JSON file', JSON.stringify({ type: 'x', private_key: pem }, null, 2)],
    ['with the dashes of a mail program', pem.replaceAll('-----', '\u2014\u2013-')],
    ['with no-break spaces', pem.replace('\n', '\u00a0\n')],
    ['with no-break spaces between the words', pem.replaceAll(' ', '\u00a0')],
    ['quoted in a mail', pem.replace(/^/gm, '> ')],
    ['without its lines BEGIN and END', body],
    ['without them, on one line', body.replaceAll('\n', '')],
    ['without the line END', pem.replace(/-----END.*/, '')],
    ['without the line BEGIN', pem.replace(/-----BEGIN.*-----\n/, '')],
    ['in base64', base64(pem)],
    ['in base64 with line ends', base64(pem).replace(/.{64}/g, '$&\n')],
    ['in base64 with a BOM', base64(`\ufeff${pem}`)],
    ['in the base64 of JSON', base64(JSON.stringify({ private_key: pem }))],
    ['in base64 in JSON in JSON', inJson(inJson(base64(pem)))],
    [
      'between the lines of another form',
      pem.replaceAll(' PRIVATE', ' RSA PRIVATE').replace('END RSA', 'END'),
    ],
    ['in the alphabet of URLs', body.replaceAll('+', '-').replaceAll('/', '_')],
    ['in SEC 1', sec1],
    ['in SEC 1, as OpenSSL writes it', parameters + sec1],
    ['in SEC 1 without BEGIN and END', sec1.split('\n').slice(1, -2).join('')],
    ['beside its public key', pem + pemOf2(ec.publicKey)],
  ])('%s is read', (_form, text) => {
    expect(readPrivateKey(text, 'P-256')).toEqual({ pem });
  });

  const wholeFile = /^must be a private key: the text of its file/;
  const cut = /^is cut off or damaged/;
  test.each<[string, string, RegExp]>([
    ['nothing', '', wholeFile],
    ['nonsense', 'secret', wholeFile],
    ['the base64 of 15 bytes', Buffer.alloc(15).toString('base64'), wholeFile],
    ['the base64 of 16 bytes', Buffer.alloc(16).toString('base64'), cut],
    ['a file name', 'AuthKey_ABC123DEFG.p8', wholeFile],
    ['base64 in JSON in JSON in JSON', inJson(inJson(inJson(base64(pem)))), cut],
    ['JSON without a key', '{"key_id": "ABC123DEFG"}', wholeFile],
    ['an RSA key', rsaPem, /^is an RSA key of 2048 bits; the provider needs an elliptic curve key on P-256$/],
    ['an RSA key in PKCS #1', pemOf(rsa.privateKey, 'pkcs1'), /^is an RSA key/],
    ['a key on P-384', pemOf(keyOn('P-384').privateKey), /^is an elliptic curve key on secp384r1/],
    [
      'a key on P-384 in SEC 1',
      pemOf(keyOn('P-384').privateKey, 'sec1'),
      /^is an elliptic curve key on secp384r1/,
    ],
    ['a key on secp256k1', pemOf(keyOn('secp256k1').privateKey), /^is an elliptic curve key on secp256k1/],
    ['an Ed25519 key', pemOf(generateKeyPairSync('ed25519').privateKey), /^is a key of the type ed25519/],
    ['a public key', pemOf2(ec.publicKey), /^is a public key/],
    [
      'a public key without BEGIN and END',
      pemOf2(ec.publicKey).split('\n').slice(1, -2).join(''),
      /^is a public key/,
    ],
    [
      'a certificate',
      '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----',
      /^contains a certificate/,
    ],
    [
      'an SSH key',
      '-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl\n-----END OPENSSH PRIVATE KEY-----',
      /^is an SSH key/,
    ],
    ['an encrypted key', encrypted(ec.privateKey, 'pkcs8'), /^is encrypted with a password/],
    ['an encrypted key in SEC 1', encrypted(ec.privateKey, 'sec1'), /^is encrypted with a password/],
    ['two keys', pem + pemOf(otherEc.privateKey), /^contains several private keys/],
    ['a key cut at its end', pem.slice(0, 120), cut],
    ['a key cut inside, with its line END', pem.replace(/.{20}\n-----END/, '\n-----END'), cut],
    ['a key cut in its first line', pem.slice(0, 40), cut],
    ['lines BEGIN and END around a text', pem.replace(/\n[^-]+\n/, '\n(the key)\n'), cut],
    ['a key cut at its beginning', pem.slice(60), cut],
    ['a key with a letter too many', pem.replace('\nMIG', '\nAMIG'), cut],
    [
      'zeros',
      `-----BEGIN PRIVATE KEY-----\n${Buffer.alloc(100).toString('base64')}\n-----END PRIVATE KEY-----`,
      cut,
    ],
    ['a key whose parts do not belong together', withPublicKeyOf(ec.privateKey, otherEc.privateKey), cut],
  ])('%s is refused', (_what, text, fault) => {
    const result = readPrivateKey(text, 'P-256');
    expect(result).toEqual({ fault: expect.stringMatching(fault) });
    expect(result.fault).not.toMatch(/MI[GHI]|secret|AuthKey/);
  });

  test('that is a flood of beginnings is refused in milliseconds', () => {
    const started = process.cpuUsage();
    expect(readPrivateKey('-----BEGIN PRIVATE KEY-----'.repeat(600), 'P-256').fault).toBeDefined();
    readPrivateKey('-----BEGIN PRIVATE KEY-----'.repeat(600), 'P-256');
    expect(process.cpuUsage(started).user / 1_000).toBeLessThan(2_000);
  });
});

describe('a service account', () => {
  const account = { project_id: 'project-1', client_email: 'push@project-1.example', private_key: rsaPem };
  const file = JSON.stringify({ type: 'service_account', ...account, token_uri: 'https://x' }, null, 2);

  test.each<[string, string]>([
    ['as the file has it', file],
    ['with a BOM and CRLF', `\ufeff${file.replaceAll('\n', '\r\n')}`],
    ['on one line', JSON.stringify(account)],
    ['as a JSON string', JSON.stringify(file)],
    ['as a JSON string in two others', JSON.stringify(JSON.stringify(JSON.stringify(file)))],
    ['in base64', base64(file)],
    ['in base64 with a BOM and line ends', base64(`\ufeff${file}`).replace(/.{76}/g, '$&\n')],
    ['with line ends inside the key', file.replaceAll('\\n', '\n')],
    ['with line ends written out twice', file.replaceAll('\\n', '\\\\n')],
    ['with a key in PKCS #1', JSON.stringify({ ...account, private_key: pemOf(rsa.privateKey, 'pkcs1') })],
    ['with spaces around its members', JSON.stringify({ ...account, project_id: ' project-1\n' })],
  ])('%s is read', (_form, text) => {
    expect(readServiceAccount(text)).toEqual({ account });
  });

  test.each<[string, unknown, RegExp]>([
    ['nonsense', 'x', /^must be the JSON of a service account key/],
    ['null', null, /^must be the JSON/],
    ['a list', [], /^must be the JSON/],
    [
      'a JSON string in three others',
      JSON.stringify(JSON.stringify(JSON.stringify(JSON.stringify(file)))),
      /^must be the JSON/,
    ],
    ['the key alone', rsaPem, /^must be the JSON/],
    [
      'google-services.json',
      { project_info: { project_id: 'p' }, client: [] },
      /^is the configuration of an app/,
    ],
    ['the configuration of a web app', { apiKey: 'AIza', projectId: 'p' }, /^is the configuration of an app/],
    ['an OAuth client', { installed: { client_id: 'x' } }, /^is the configuration of an app/],
    ['an OAuth client of a web app', { web: { client_id: 'x' } }, /^is the configuration of an app/],
    ['an account without a project', { ...account, project_id: undefined }, /^has no valid project_id/],
    ['a project that is a path', { ...account, project_id: '../x' }, /^has no valid project_id/],
    ['an account without an email', { ...account, client_email: 7 }, /^has no valid client_email/],
    ['an email without a host', { ...account, client_email: 'push' }, /^has no valid client_email/],
    ['an account without a key', { ...account, private_key: undefined }, /^has no private_key/],
    [
      'a key that is nonsense',
      { ...account, private_key: 'x' },
      /^has a private_key that must be a private key/,
    ],
    [
      'an elliptic curve key',
      { ...account, private_key: pem },
      /^has a private_key that is an elliptic curve key/,
    ],
    ['an RSA key of 1024 bits', { ...account, private_key: pemOf(rsaOf(1_024).privateKey) }, /1024 bits/],
  ])('%s is refused', (_what, value, fault) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    expect(readServiceAccount(text)).toEqual({ fault: expect.stringMatching(fault) });
  });
});

function pemOf2(key: KeyObject): string {
  return key.export({ type: 'spki', format: 'pem' }).toString();
}

function encrypted(key: KeyObject, type: 'pkcs8' | 'sec1'): string {
  return key.export({ type, format: 'pem', cipher: 'aes-128-cbc', passphrase: 'secret' }).toString();
}

/** The last 64 bytes of the encoding are the point of the public key. */
function withPublicKeyOf(key: KeyObject, other: KeyObject): string {
  const [own, foreign] = [key, other].map((each) => each.export({ type: 'pkcs8', format: 'der' }) as Buffer);
  const mixed = Buffer.concat([own?.subarray(0, -64) ?? Buffer.of(), foreign?.subarray(-64) ?? Buffer.of()]);
  return `-----BEGIN PRIVATE KEY-----\n${mixed.toString('base64')}\n-----END PRIVATE KEY-----`;
}
