// Forms of many uploads at the same time.
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { readForm } from './read-form.js';

const boundary = 'b';
const chunkBytes = 64 * 1_024;

/** A request whose file consists of beginnings of boundaries, in chunks as they arrive from a connection. */
function upload(chunks: number) {
  const parts = [
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n`,
    ...Array.from({ length: chunks }, () => '\r\n--'.repeat(chunkBytes / 4)),
    `\r\n--${boundary}--\r\n`,
  ];
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
  return Object.assign(Readable.from(parts.map((part) => Buffer.from(part))), { headers, complete: true });
}

test('the chunks of parallel uploads are parsed in different turns of the event loop', async () => {
  let turn = 0;
  let counting = true;
  const count = () => {
    turn += 1;
    if (counting) setImmediate(count);
  };
  count();
  /** The upload whose bytes were parsed, by turn. */
  const parsed = new Map<number, Set<number>>();
  const sizes = await Promise.all(
    Array.from({ length: 10 }, (_, place) =>
      readForm(upload(5), {
        maxBytes: 10 * chunkBytes,
        onField: () => {},
        async onFile({ bytes }) {
          let size = 0;
          bytes.on('data', (chunk: Buffer) => {
            size += chunk.length;
            parsed.set(turn, (parsed.get(turn) ?? new Set()).add(place));
          });
          await new Promise((resolve) => bytes.on('end', resolve));
          return size;
        },
      }),
    ),
  );
  counting = false;
  expect(sizes).toEqual(Array(10).fill(5 * chunkBytes));
  expect([...parsed.values()].filter((uploads) => uploads.size > 1)).toEqual([]);
});

test.each([
  ['closed', undefined],
  ['broken', new Error('aborted')],
])('a form whose connection is %s before its end is refused, and its file is not kept', async (_, error) => {
  const { headers } = upload(0);
  const request = Object.assign(new Readable({ read() {} }), { headers, complete: false });
  const ends: unknown[] = [];
  const form = readForm(request, {
    maxBytes: chunkBytes,
    onField: () => {},
    onFile: ({ bytes }) =>
      new Promise((_, reject) => {
        for (const event of ['end', 'error']) bytes.on(event, (cause) => reject(ends.push([event, cause])));
        bytes.resume();
        request.destroy(error);
      }),
  });
  request.push(`--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nhalf`);
  await expect(form).rejects.toMatchObject({ code: 'request/timeout' });
  expect(ends).toEqual([['error', expect.objectContaining({ code: 'request/timeout' })]]);
});

const disposition = 'Content-Disposition: form-data; name="x"';

/** The fields of a form with these parts, and the refusal if there is one. */
async function fieldsOf(parts: string[]) {
  const { headers } = upload(0);
  const text = `${parts.map((part) => `--${boundary}\r\n${part}\r\n`).join('')}--${boundary}--\r\n`;
  const request = Object.assign(Readable.from([Buffer.from(text)]), { headers, complete: true });
  const fields: string[] = [];
  const refusal = await readForm(request, {
    maxBytes: text.length,
    onField: (_name, value) => fields.push(value),
    onFile: async () => {},
  }).then(
    () => null,
    (error) => error.fields,
  );
  return { fields, refusal };
}

test('a value of a form is read up to 1,024 characters', async () => {
  const { fields } = await fieldsOf([`${disposition}\r\n\r\n${'v'.repeat(1_100)}`]);
  expect(fields).toEqual(['v'.repeat(1_024)]);
});

test('a form has fewer than 200 parts, those without a name included', async () => {
  const parts = (count: number) => fieldsOf(Array.from({ length: count }, () => 'X-A: b\r\n\r\nv'));
  expect(await parts(199)).toEqual({ fields: [], refusal: null });
  expect(await parts(200)).toEqual({ fields: [], refusal: { body: ['has too many parts'] } });
});
