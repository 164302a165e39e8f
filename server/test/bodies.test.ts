// Bodies that are malformed, of the wrong type, too large, compressed, or contain what no database stores: each is
// refused in the envelope, and the connection stays usable.
import { deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { testService } from './harness.js';
import { rawAnswer, rawCall, rawConnection } from './raw-http.js';
import { expectRefusal } from './refusal.js';
import { shared } from './shared.js';

const service = shared(() => testService());

const json = 'application/json';
const good = { email: 'ada@example.com', password: 'correct horse' };
const text = 'must not hold U+0000 or half of a surrogate pair';

/** Signs in with these bytes; a readable body is answered 401, since no account has this email. */
function send(body: string | Uint8Array, type: string | null = json, more: string[] = []) {
  const bytes = Buffer.from(body);
  return rawAnswer(service.listening.port, Buffer.concat([head(bytes.length, type, more), bytes]));
}

function head(length: number, type: string | null = json, more: string[] = []): Buffer {
  const lines = [
    'POST /api/v2/auth/sign-in HTTP/1.1',
    'Host: accounts.test',
    `X-App-Key: ${service.app.app.appKey}`,
    ...(type === null ? [] : [`Content-Type: ${type}`]),
    ...(more.some((line) => line.startsWith('Transfer-Encoding')) ? [] : [`Content-Length: ${length}`]),
    ...more,
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}

/** A valid sign-in of exactly this many bytes, padded with an unknown key. */
function bodyOf(bytes: number): string {
  const frame = JSON.stringify({ ...good, filling: '' });
  return JSON.stringify({ ...good, filling: 'x'.repeat(bytes - frame.length) });
}

test('a valid body is read: each of the following differs from it in one respect', async () => {
  expectRefusal(await send(JSON.stringify(good)), 'auth/invalid-credential');
});

describe('invalid JSON', () => {
  test('a request that has neither a body nor its length is one with an empty body', async () => {
    const { port } = service.listening;
    const key = `X-App-Key: ${service.app.app.appKey}`;
    const json = await rawCall(port, 'POST', '/api/v2/auth/sign-in', [key]);
    expect([json.status, json.json.error.fields]).toEqual([422, { body: ['is missing'] }]);
    const form = await rawCall(port, 'POST', '/api/v2/auth/providers/provider-b/callback', []);
    expect([form.status, form.json.error.code]).toEqual([401, 'auth/invalid-credential']);
  });

  test.each([
    ['a word', 'hello'],
    ['a half', '{"email":"ada@example.com"'],
    ['a half of a string', '{"email":"ada@exam'],
    ['a comma too many', '{"email":"a@b.cd",}'],
    ['a comment', '{"email":"a@b.cd"} // no'],
    ['single quotes', "{'email':'a@b.cd'}"],
    ['two values', '{}{}'],
    ['a form', 'email=ada%40example.com'],
    ['NaN', '{"email":NaN}'],
    ['a line break in a string', '{"email":"a\n"}'],
    ['spaces alone', '   '],
    ['a backslash that escapes nothing', '{"email":"\\x"}'],
  ])('%s is answered request/malformed-json', async (_, body) => {
    expectRefusal(await send(body), 'request/malformed-json');
  });

  test('bytes that are not UTF-8 are answered request/malformed-json, never stored as other characters', async () => {
    for (const broken of [[0xff], [0xc3, 0x28], [0xed, 0xa0, 0x80], [0xf0, 0x9f, 0x92], [0xc0, 0x80]]) {
      const body = Buffer.concat([Buffer.from('{"email":"a'), Buffer.from(broken), Buffer.from('"}')]);
      expectRefusal(await send(body), 'request/malformed-json');
    }
  });
});

describe('JSON of another shape', () => {
  test.each([['null'], ['true'], ['0'], ['-1e9'], ['"text"'], ['[]'], ['[{}]'], ['""']])(
    'the body %s is refused with the field `body`',
    async (body) => {
      expectRefusal(await send(body), 'request/validation-failed', { body: [expect.any(String)] });
    },
  );

  test('an empty object lacks every field, and an empty body of any content type is not an object', async () => {
    const missing = { email: [expect.any(String)], password: [expect.any(String)] };
    expectRefusal(await send('{}'), 'request/validation-failed', missing);
    expectRefusal(await send(''), 'request/validation-failed', { body: [expect.any(String)] });
    expectRefusal(await send('', null), 'request/validation-failed', { body: [expect.any(String)] });
  });

  test.each([
    ['null', null],
    ['a number', 1],
    ['a boolean', true],
    ['a list', ['ada@example.com']],
    ['an object', { $ne: '' }],
    ['an object that turns into a string', { toString: 'x', length: 1 }],
  ])('%s in place of a string is refused with its field', async (_, wrong) => {
    for (const field of ['email', 'password']) {
      const answer = await send(JSON.stringify({ ...good, [field]: wrong }));
      expectRefusal(answer, 'request/validation-failed', { [field]: [expect.any(String)] });
    }
  });

  test.each([
    [{ email: 'ada@example.com' }, { password: ['is missing'] }],
    [
      { email: 7, password: null },
      { email: ['must be a string'], password: ['must be a string'] },
    ],
    [{ ...good, email: 'ada' }, { email: ['must be an email address'] }],
    [[], { body: ['must be an object'] }],
  ])('the error messages for %j are in plain English', async (body, fields) => {
    expectRefusal(await send(JSON.stringify(body)), 'request/validation-failed', fields);
  });

  test('unknown keys are ignored, including those of Object.prototype', async () => {
    for (const key of [
      'password_confirmation',
      '__proto__',
      'constructor',
      'toString',
      'hasOwnProperty',
      '',
      '.',
    ]) {
      const body = `{"email":"a@b.cd","password":"x",${JSON.stringify(key)}:{"email":1,"disabled":true}}`;
      expectRefusal(await send(body), 'auth/invalid-credential');
    }
    expect(({} as Record<string, unknown>).disabled).toBeUndefined();
  });

  test('the last of two duplicate keys is used', async () => {
    expectRefusal(await send('{"email":1,"email":"a@b.cd","password":"x"}'), 'auth/invalid-credential');
  });
});

describe('content types', () => {
  test.each([
    ['none', null],
    ['text/plain', 'text/plain'],
    ['a form', 'application/x-www-form-urlencoded'],
    ['a multipart form', 'multipart/form-data; boundary=x'],
    ['a type that only begins like JSON', 'application/jsonp'],
    ['a suffix without a name', 'application/+json'],
    ['JSON of another kind', 'text/json'],
    ['a list', 'application/json, text/plain'],
    ['an empty one', ''],
    ['Latin-1', 'application/json; charset=latin1'],
    ['UTF-16', 'application/json; charset=utf-16'],
    ['UTF-7', 'application/json; charset=utf-7'],
    ['a charset that does not exist', 'application/json; charset=utf-99'],
    ['JSON and a form', 'application/json, multipart/form-data'],
    ['JSON in two charsets', 'application/json; charset=utf-8, application/json; charset=latin1'],
    ['JSON and an empty type', 'application/json,'],
  ])('a body with %s as its content type is refused', async (_, type) => {
    expectRefusal(await send(JSON.stringify(good), type), 'request/unsupported-media-type');
  });

  test.each([
    'application/json',
    'Application/JSON',
    'application/json; charset=UTF-8',
    'application/json;charset="utf-8"',
    'application/json; profile=x',
    'application/json; charset=utf8',
    'application/json; charset=UTF8; profile=x',
    'application/json;CHARSET="UTF-8"',
    "application/json; charset='utf-8'",
    'application/json\t; charset = utf-8 ',
    'application/json; charset=us-ascii',
    'application/json;',
    'application/merge-patch+json',
    'application/problem+json; charset=utf-8',
    'application/vnd.api+json',
    'application/json; profile="a,b"',
    // Of an XMLHttpRequest to which a program and its library add the header.
    'application/json, application/json',
    'application/json; charset=utf-8,application/json;charset=UTF-8',
  ])('a body sent as %s is read', async (type) => {
    expectRefusal(await send(JSON.stringify(good), type), 'auth/invalid-credential');
  });

  test('a byte order mark before the JSON is ignored, and one within it is not', async () => {
    const mark = '\ufeff';
    expectRefusal(await send(`${mark}${JSON.stringify(good)}`), 'auth/invalid-credential');
    expectRefusal(await send(mark), 'request/validation-failed', { body: [expect.any(String)] });
    for (const body of [`${mark}${mark}${JSON.stringify(good)}`, `${JSON.stringify(good)}${mark}`]) {
      expectRefusal(await send(body), 'request/malformed-json');
    }
    // Characters of which one byte is that of the mark.
    for (const other of ['\uff3f', '\ufec0']) {
      expectRefusal(await send(`${other}${JSON.stringify(good)}`), 'request/malformed-json');
    }
  });

  test('a text with an escaped emoji is refused for its type, and not for its characters', async () => {
    const sentence = expect.stringContaining('object');
    expectRefusal(await send('"\\ud83d\\ude00"'), 'request/validation-failed', { body: [sentence] });
  });

  test('of two Content-Type headers the first is used', async () => {
    const body = JSON.stringify(good);
    expectRefusal(await send(body, json, ['Content-Type: text/plain']), 'auth/invalid-credential');
    expectRefusal(
      await send(body, 'text/plain', [`Content-Type: ${json}`]),
      'request/unsupported-media-type',
    );
  });

  test('a body in UTF-16 is refused, not read in another encoding', async () => {
    const body = Buffer.from(JSON.stringify(good), 'utf16le');
    expectRefusal(await send(body, 'application/json; charset=utf-16le'), 'request/unsupported-media-type');
  });
});

describe('size', () => {
  test('a body of 100 KiB is read, and one byte more is refused', async () => {
    expectRefusal(await send(bodyOf(102_400)), 'auth/invalid-credential');
    expectRefusal(await send(bodyOf(102_401)), 'request/too-large');
  });

  test('the size limit holds for a body without a Content-Length', async () => {
    for (const [bytes, code] of [
      [102_400, 'auth/invalid-credential'],
      [102_401, 'request/too-large'],
    ] as const) {
      const body = bodyOf(bytes);
      const chunked = `${bytes.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
      const sent = Buffer.concat([head(0, json, ['Transfer-Encoding: chunked']), Buffer.from(chunked)]);
      expectRefusal(await rawAnswer(service.listening.port, sent), code);
    }
  });

  test('a body without a Content-Length is refused for its type before it arrives', async () => {
    const sent = head(0, 'text/plain', ['Transfer-Encoding: chunked']);
    expectRefusal(await rawAnswer(service.listening.port, sent), 'request/unsupported-media-type');
  });

  test('a body with too large a Content-Length is refused before it arrives', async () => {
    expectRefusal(await rawAnswer(service.listening.port, head(10_000_000_000)), 'request/too-large');
  });
});

describe('compressed bodies', () => {
  test.each([
    ['gzip', gzipSync(JSON.stringify(good))],
    ['deflate', deflateSync(JSON.stringify(good))],
    ['GZIP', gzipSync(JSON.stringify(good))],
    ['br', Buffer.from('x')],
    ['gzip, identity', gzipSync(JSON.stringify(good))],
    ['zip', Buffer.from(JSON.stringify(good))],
  ])('Content-Encoding: %s is refused', async (encoding, body) => {
    expectRefusal(
      await send(body, json, [`Content-Encoding: ${encoding}`]),
      'request/unsupported-media-type',
    );
  });

  test('is refused before a byte of the body arrives, also for an upload', async () => {
    const encoded = ['Content-Encoding: gzip'];
    expectRefusal(
      await rawAnswer(service.listening.port, head(1_000, json, encoded)),
      'request/unsupported-media-type',
    );
    const user = await service.signUp();
    const upload = [
      'POST /api/v2/files HTTP/1.1',
      'Host: accounts.test',
      `X-App-Key: ${service.app.app.appKey}`,
      `Authorization: Bearer ${user.tokens.access_token}`,
      'Content-Type: multipart/form-data; boundary=x',
      'Content-Length: 1000',
      ...encoded,
    ];
    const answer = await rawAnswer(service.listening.port, Buffer.from(`${upload.join('\r\n')}\r\n\r\n`));
    expectRefusal(answer, 'request/unsupported-media-type');
  });

  test('a body with an identity encoding is read', async () => {
    for (const encoding of ['identity', 'Identity', '']) {
      const answer = await send(JSON.stringify(good), json, [`Content-Encoding: ${encoding}`]);
      expectRefusal(answer, 'auth/invalid-credential');
    }
  });
});

describe('the number of values', () => {
  const values = (count: number) => JSON.stringify({ ...good, d: new Array(count - 4).fill(0) });

  test('a body with the maximum number of values is read, and one value more is refused', async () => {
    expectRefusal(await send(values(2_500)), 'auth/invalid-credential');
    expectRefusal(await send(values(2_501)), 'request/validation-failed', {
      body: ['has more than 2500 values'],
    });
  });

  test.each([
    ['many empty arrays', `[${'[],'.repeat(30_000)}[]]`],
    ['many keys', `{${Array.from({ length: 9_000 }, (_, i) => `"${i}":0`).join()}}`],
    ['what is no JSON for its last byte alone', `[${'0,'.repeat(40_000)}]`],
  ])('%s are refused before they are parsed', async (_, body) => {
    expectRefusal(await send(body), 'request/validation-failed', { body: [expect.any(String)] });
  });
});

describe('what no database stores', () => {
  const nul = '\\u0000';
  test.each([
    ['U+0000', `{"email":"a${nul}@b.cd","password":"x"}`, { email: [text] }],
    ['half a surrogate pair', '{"email":"a@b.cd","password":"\\ud800"}', { password: [text] }],
    ['the other half', '{"email":"a@b.cd","password":"\\udc00x"}', { password: [text] }],
    ['two halves in the wrong order', '{"email":"a@b.cd","password":"\\udc00\\ud800"}', { password: [text] }],
    ['U+0000 in an object', `{"x":{"y":[0,{"z":"${nul}"}]}}`, { 'x.y.1.z': [text] }],
    ['U+0000 in a list', `["${nul}"]`, { 0: [text] }],
    ['U+0000 in a bare string', `"${nul}"`, { body: [text] }],
    ['U+0000 in a key', `{"x":{"a${nul}":1}}`, { x: [expect.stringContaining('key')] }],
    ['half a pair in a key at the top', '{"\\ud800":1}', { body: [expect.stringContaining('key')] }],
    ['U+0000 under __proto__', `{"__proto__":{"x":"${nul}"}}`, { '__proto__.x': [text] }],
  ])('%s is refused with the path of the field', async (_, body, fields) => {
    expectRefusal(await send(body), 'request/validation-failed', fields);
  });

  test('whole surrogate pairs and every other control character pass this check', async () => {
    const answer = await send('{"email":"a@b.cd","password":"\\ud83d\\ude00\\u0001\\uffff\\ufeff"}');
    expectRefusal(answer, 'auth/invalid-credential');
  });

  test('a hundred levels of nesting are accepted, and deeper bodies are refused safely', async () => {
    const nested = (levels: number) =>
      `{"email":"a@b.cd","password":"x","d":${'['.repeat(levels)}${']'.repeat(levels)}}`;
    expectRefusal(await send(nested(99)), 'auth/invalid-credential');
    for (const levels of [100, 1_000, 50_000]) {
      const answer = await send(nested(levels));
      expectRefusal(answer, 'request/validation-failed', { body: ['is nested too deeply'] });
    }
    const objects = `${'{"a":'.repeat(15_000)}1${'}'.repeat(15_000)}`;
    expectRefusal(await send(objects), 'request/validation-failed', { body: ['is nested too deeply'] });
  });
});

describe('the connection', () => {
  test('is reused after a body that was refused unread', async () => {
    const connection = await rawConnection(service.listening.port);
    const unread = Buffer.alloc(90_000, 'x');
    const withoutKey = `POST /api/v2/auth/sign-in HTTP/1.1\r\nHost: a\r\nContent-Type: ${json}\r\nContent-Length: ${unread.length}\r\n\r\n`;
    for (let round = 0; round < 3; round += 1) {
      connection.send(withoutKey);
      connection.send(unread);
      expectRefusal(await connection.answer(), 'request/invalid-app-key');
      connection.send(head(unread.length, 'text/plain'));
      connection.send(unread);
      expectRefusal(await connection.answer(), 'request/unsupported-media-type');
      connection.send(head(152_400));
      connection.send(Buffer.alloc(152_400, ' '));
      expectRefusal(await connection.answer(), 'request/too-large');
      connection.send('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n');
      expect((await connection.answer()).status).toBe(200);
    }
    connection.close();
  });

  test('receives its answer while the refused body is still being sent', async () => {
    const connection = await rawConnection(service.listening.port);
    connection.send(`POST /api/v2/auth/sign-in HTTP/1.1\r\nHost: a\r\nContent-Length: 50000\r\n\r\n`);
    expectRefusal(await connection.answer(), 'request/invalid-app-key');
    connection.send(Buffer.alloc(50_000, 'x'));
    connection.send('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n');
    expect((await connection.answer()).status).toBe(200);
    connection.close();
  });

  test('answers pipelined requests in order', async () => {
    const connection = await rawConnection(service.listening.port);
    const body = Buffer.from(JSON.stringify(good));
    const signIn = Buffer.concat([head(body.length), body]);
    const health = Buffer.from('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n');
    connection.send(Buffer.concat([signIn, health, head(3), Buffer.from('{x}'), health]));
    expectRefusal(await connection.answer(), 'auth/invalid-credential');
    expect((await connection.answer()).status).toBe(200);
    expectRefusal(await connection.answer(), 'request/malformed-json');
    expect((await connection.answer()).status).toBe(200);
    connection.close();
  });
});
