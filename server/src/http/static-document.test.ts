// Documents that are the same for everyone: made and compressed once, however often they are sent.
import type { Request, Response } from 'express';
import { expect, test } from 'vitest';
import { staticDocument } from './static-document.js';

test('a document is made once, and compressed once for each content coding', async () => {
  let made = 0;
  const serve = staticDocument(() => {
    made += 1;
    return Buffer.from('a'.repeat(5_000));
  }, {});
  const sent = async (coding: string) => {
    const bodies: unknown[] = [];
    const req = { headers: {}, acceptsEncodings: (each: string) => each === coding };
    const res = { vary() {}, set() {}, setHeader() {}, send: (body: unknown) => bodies.push(body) };
    for (let times = 0; times < 2; times += 1)
      await serve(req as unknown as Request, res as unknown as Response, () => {});
    return bodies;
  };
  for (const coding of ['br', 'gzip', 'identity']) {
    const [first, second] = await sent(coding);
    expect(first).toBeInstanceOf(Buffer);
    expect(second).toBe(first);
  }
  expect(made).toBe(1);
});
