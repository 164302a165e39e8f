// Presigned URL of an S3 object: Signature Version 4 in the query ("Authenticating Requests: Using Query Parameters" of the S3
// API). Everything but unreserved characters is encoded, as `filename*=UTF-8''…` requires.
import { hmacSha256, sha256 } from '../../src/lib/crypto/digest.js';

export type S3Signer = { region: string; accessKeyId: string; secretAccessKey: string };

/** `object` is the URL of the object without a query; its path needs no encoding. */
export function presignedUrl(
  { region, accessKeyId, secretAccessKey }: S3Signer,
  object: URL,
  parameters: Record<string, string>,
  expiresInSeconds: number,
  now: Date,
): string {
  const at = now.toISOString().replace(/[-:]|\.\d{3}/g, '');
  const day = at.slice(0, 8);
  const scope = `${day}/${region}/s3/aws4_request`;
  const query = Object.entries({
    ...parameters,
    'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
    'X-Amz-Credential': `${accessKeyId}/${scope}`,
    'X-Amz-Date': at,
    'X-Amz-Expires': String(expiresInSeconds),
    'X-Amz-SignedHeaders': 'host',
  })
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .sort()
    .join('&');
  const request = `GET\n${object.pathname}\n${query}\nhost:${object.host}\n\nhost\nUNSIGNED-PAYLOAD`;
  const toSign = `AWS4-HMAC-SHA256\n${at}\n${scope}\n${sha256(request).toString('hex')}`;
  const key = [day, region, 's3', 'aws4_request'].reduce<Buffer>(
    (made, part) => hmacSha256(made, part),
    Buffer.from(`AWS4${secretAccessKey}`),
  );
  return `${object.origin}${object.pathname}?${query}&X-Amz-Signature=${hmacSha256(key, toSign).toString('hex')}`;
}

function encoded(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
