// Static documents: each content coding is created once, on first use, and every response sends the same Buffer.
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Request, RequestHandler } from 'express';
import { sha256 } from '../lib/crypto/digest.js';
import { hasCurrent } from './json-answer.js';

type Coding = keyof typeof encoders;

/** The encodings in order of preference, among those that the client accepts. */
const encoders = {
  br: (body: Buffer) => brotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (body: Buffer) => promisify(gzip)(body, { level: 9 }),
  identity: async (body: Buffer) => body,
};
const brotli = promisify(brotliCompress);
const codings = Object.keys(encoders) as Coding[];

type Options = {
  /** The body is compressed already, and is sent as it is. */
  compressed?: boolean;
  /** The body compressed with Brotli, if the build has compressed it. */
  br?: Buffer | undefined;
};

/** `makeBody` is called at most once. */
export function staticDocument(
  makeBody: () => Buffer,
  headers: Record<string, string>,
  { compressed = false, br }: Options = {},
): RequestHandler {
  let document: { body: Buffer; hash: string } | undefined;
  const encoded = new Map<Coding, Promise<Buffer>>();
  if (br) encoded.set('br', Promise.resolve(br));

  return async (req, res) => {
    document ??= withHash(makeBody());
    const { body, hash } = document;
    const coding = compressed ? 'identity' : codingFor(req);
    const bytes = encoded.get(coding) ?? encoders[coding](body);
    encoded.set(coding, bytes);
    if (!compressed) res.vary('Accept-Encoding');
    res.set(headers);
    if (coding !== 'identity') res.set('Content-Encoding', coding);
    // A strong entity tag identifies the exact bytes, so each coding has its own (RFC 9110, 8.8.3.3).
    const etag = coding === 'identity' ? `"${hash}"` : `"${hash}-${coding}"`;
    if (hasCurrent(res, req.headers['if-none-match'], etag)) res.status(304).end();
    else res.send(await bytes);
  };
}

function codingFor(req: Request): Coding {
  return codings.find((coding) => req.acceptsEncodings(coding)) ?? 'identity';
}

function withHash(body: Buffer) {
  return { body, hash: sha256(body).toString('base64url') };
}
