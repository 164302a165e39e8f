// An S3-compatible service in memory: objects, multipart uploads, ranges and presigned URLs. It verifies signatures
// with another implementation than the one under test, and refuses what S3 refuses.
import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import aws4 from 'aws4';
import { localServer } from './local-server.js';

export type S3Server = Awaited<ReturnType<typeof startS3Server>>;

const minPartBytes = 5 * 1_024 * 1_024;

export async function startS3Server() {
  const { origin: endpoint, stop } = await localServer((req, res) => {
    answer(s3, req, res).catch((error) => sendError(res, 500, `InternalError ${error}`));
  });
  const s3 = {
    endpoint,
    region: 'eu-central-1',
    bucket: 'foyer-files',
    accessKeyId: 'AKIATEST',
    secretAccessKey: 'a secret access key+/=',
    objects: new Map<string, Buffer>(),
    /** Multipart uploads neither completed nor aborted, by id. */
    uploads: new Map<string, { key: string; parts: Map<number, Buffer> }>(),
    /** The size of each object and part that was sent. */
    sentBytes: [] as number[],
    /** The status of the removal of an object that does not exist: 404 in the XML API of Google Cloud Storage. */
    missingWith: 204,
    /** Completing a multipart upload fails after the 200 was sent, as in S3 itself. */
    failsCompletion: false,
    /** If set, the answer to lists of unfinished uploads. */
    listUploadsWith: null as number | null,
    stop,
  };
  return s3;
}

async function answer(s3: S3Server, req: IncomingMessage, res: ServerResponse): Promise<unknown> {
  const body = await buffer(req);
  const url = new URL(req.url as string, s3.endpoint);
  const refusal = refusalOf(s3, req, url, body);
  if (refusal) return sendError(res, 403, refusal);
  const [, bucket, ...path] = decodeURIComponent(url.pathname).split('/');
  if (bucket !== s3.bucket) return sendError(res, 404, 'NoSuchBucket');
  const key = path.join('/');
  const query = url.searchParams;
  if (query.has('uploadId') || query.has('uploads')) return answerParts(s3, req, res, { key, query, body });
  const object = s3.objects.get(key);
  switch (req.method) {
    case 'PUT':
      if (req.headers['content-length'] === undefined) return sendError(res, 411, 'MissingContentLength');
      s3.objects.set(key, body);
      s3.sentBytes.push(body.length);
      return res.writeHead(200, { ETag: etagOf(body) }).end();
    case 'DELETE':
      if (!s3.objects.delete(key) && s3.missingWith !== 204)
        return sendError(res, s3.missingWith, 'NoSuchKey');
      return res.writeHead(204).end();
    case 'GET':
      if (!object) return sendError(res, 404, 'NoSuchKey');
      return sendObject(req, res, object, query);
    default:
      return sendError(res, 405, 'MethodNotAllowed');
  }
}

type Asked = { key: string; query: URLSearchParams; body: Buffer };

function answerParts(
  s3: S3Server,
  req: IncomingMessage,
  res: ServerResponse,
  { key, query, body }: Asked,
): unknown {
  const id = query.get('uploadId') ?? '';
  const upload = s3.uploads.get(id);
  if (req.method === 'GET') {
    if (s3.listUploadsWith !== null) return sendError(res, s3.listUploadsWith, 'Refused');
    const own = [...s3.uploads].filter(([, one]) => one.key.startsWith(query.get('prefix') ?? ''));
    const list = own.map(
      ([uploadId, one]) => `<Upload><Key>${one.key}</Key><UploadId>${uploadId}</UploadId></Upload>`,
    );
    return sendXml(
      res,
      `<ListMultipartUploadsResult><Bucket>${s3.bucket}</Bucket>${list.join('')}</ListMultipartUploadsResult>`,
    );
  }
  if (req.method === 'POST' && query.has('uploads')) {
    const uploadId = randomUUID();
    s3.uploads.set(uploadId, { key, parts: new Map() });
    const result = `<Bucket>${s3.bucket}</Bucket><Key>${key}</Key><UploadId>${uploadId}</UploadId>`;
    return sendXml(res, `<InitiateMultipartUploadResult>${result}</InitiateMultipartUploadResult>`);
  }
  if (!upload || upload.key !== key) return sendError(res, 404, 'NoSuchUpload');
  if (req.method === 'PUT') {
    upload.parts.set(Number(query.get('partNumber')), body);
    s3.sentBytes.push(body.length);
    return res.writeHead(200, { ETag: etagOf(body) }).end();
  }
  if (req.method === 'DELETE') {
    s3.uploads.delete(id);
    return res.writeHead(204).end();
  }
  return complete(s3, res, id, body.toString());
}

function complete(s3: S3Server, res: ServerResponse, id: string, text: string): unknown {
  if (s3.failsCompletion) return sendError(res, 200, 'InternalError');
  const { key, parts } = s3.uploads.get(id) as { key: string; parts: Map<number, Buffer> };
  const named = [...text.matchAll(/<PartNumber>(\d+)<\/PartNumber>\s*<ETag>([^<]*)<\/ETag>/g)];
  const chosen = named.map(([, number, etag]) => {
    const part = parts.get(Number(number));
    return part && etagOf(part).replaceAll('"', '') === (etag as string).replace(/&quot;|"/g, '')
      ? part
      : null;
  });
  if (named.length === 0) return sendError(res, 400, 'MalformedXML');
  if (chosen.includes(null)) return sendError(res, 400, 'InvalidPart');
  if (chosen.slice(0, -1).some((part) => (part as Buffer).length < minPartBytes)) {
    return sendError(res, 400, 'EntityTooSmall');
  }
  s3.objects.set(key, Buffer.concat(chosen as Buffer[]));
  s3.uploads.delete(id);
  const result = `<Bucket>${s3.bucket}</Bucket><Key>${key}</Key><ETag>"of-parts-${named.length}"</ETag>`;
  return sendXml(res, `<CompleteMultipartUploadResult>${result}</CompleteMultipartUploadResult>`);
}

/** Why the request is refused, or undefined: recomputes the signature over the parts it signs. */
function refusalOf(s3: S3Server, req: IncomingMessage, url: URL, body: Buffer): string | undefined {
  const query = Object.fromEntries(url.searchParams);
  const presigned = query['X-Amz-Signature'];
  const given = /SignedHeaders=([^,]+), ?Signature=(\w+)/.exec(req.headers.authorization ?? '');
  const signature = presigned ?? given?.[2];
  const signedHeaders = (query['X-Amz-SignedHeaders'] ?? given?.[1] ?? '').split(';');
  if (!signature || !signedHeaders.includes('host')) return 'AccessDenied';
  const date = query['X-Amz-Date'] ?? String(req.headers['x-amz-date']);
  const at = Date.parse(date.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z'));
  const validSeconds = presigned ? Number(query['X-Amz-Expires']) : 900;
  if (!(Math.abs(Date.now() - at) < validSeconds * 1_000)) return 'RequestTimeTooSkewed';
  const content = req.headers['x-amz-content-sha256'];
  if (
    !presigned &&
    content !== 'UNSIGNED-PAYLOAD' &&
    content !== createHash('sha256').update(body).digest('hex')
  ) {
    return 'XAmzContentSHA256Mismatch';
  }
  if (presigned) url.searchParams.delete('X-Amz-Signature');
  const made = aws4.sign(
    {
      service: 's3',
      region: s3.region,
      method: req.method as string,
      path: `${url.pathname}${url.search}`,
      headers: Object.fromEntries(signedHeaders.map((name) => [name, String(req.headers[name])])),
      extraHeadersToInclude: Object.fromEntries(signedHeaders.map((name) => [name, true])),
      ...(presigned ? { signQuery: true } : { doNotModifyHeaders: false }),
    } as object,
    { accessKeyId: s3.accessKeyId, secretAccessKey: s3.secretAccessKey },
  );
  const right = presigned
    ? new URL(made.path as string, s3.endpoint).searchParams.get('X-Amz-Signature')
    : /Signature=(\w+)/.exec(String(made.headers?.Authorization))?.[1];
  return right === signature ? undefined : 'SignatureDoesNotMatch';
}

function sendObject(
  req: IncomingMessage,
  res: ServerResponse,
  object: Buffer,
  query: URLSearchParams,
): unknown {
  const headers = {
    ETag: etagOf(object),
    'Accept-Ranges': 'bytes',
    'Content-Type': query.get('response-content-type') ?? 'application/octet-stream',
    'Content-Disposition': query.get('response-content-disposition') ?? 'inline',
    'Cache-Control': query.get('response-cache-control') ?? '',
  };
  const range = /^bytes=(\d*)-(\d*)$/.exec(req.headers.range ?? '');
  if (!range) {
    return res.writeHead(200, { ...headers, 'Content-Length': object.length }).end(object);
  }
  const start = range[1] === '' ? Math.max(0, object.length - Number(range[2])) : Number(range[1]);
  const end =
    range[1] === '' || range[2] === '' ? object.length - 1 : Math.min(Number(range[2]), object.length - 1);
  if (start > end) return sendError(res, 416, 'InvalidRange');
  const part = object.subarray(start, end + 1);
  const contentRange = `bytes ${start}-${end}/${object.length}`;
  return res
    .writeHead(206, { ...headers, 'Content-Range': contentRange, 'Content-Length': part.length })
    .end(part);
}

function etagOf(bytes: Buffer): string {
  return `"${createHash('md5').update(bytes).digest('hex')}"`;
}

function sendXml(res: ServerResponse, text: string, status = 200): unknown {
  return res
    .writeHead(status, { 'Content-Type': 'application/xml' })
    .end(`<?xml version="1.0" encoding="UTF-8"?>${text}`);
}

function sendError(res: ServerResponse, status: number, code: string): unknown {
  return sendXml(res, `<Error><Code>${code}</Code><Message>${code}</Message></Error>`, status);
}
