// URLs of a file's content: permanent for a public file, signed with an expiry otherwise. A signature contains the id of the
// encryption key that it is derived from, so that URLs survive a rotation as long as the old key is listed.
import type { Deps } from '../deps.js';
import { equalInConstantTime, hmacSha256 } from '../lib/crypto/digest.js';
import { secondsOf } from '../lib/timestamp.js';
import type { FileRow } from './store.js';

type FileIds = Pick<FileRow, 'appId' | 'id'>;

/** The query of a signed URL. */
export type SignedParameters = {
  expires?: string | undefined;
  download?: string | undefined;
  signature?: string | undefined;
};

export function publicUrl(baseUrl: string, file: FileRow): string | null {
  return file.visibility === 'public' ? contentUrl(baseUrl, file) : null;
}

export function signedUrl(
  deps: Pick<Deps, 'config' | 'keyRing' | 'clock'>,
  file: FileIds,
  { expiresInSeconds, download }: { expiresInSeconds: number; download: boolean },
): { url: string; expiresAt: Date } {
  const expires = secondsOf(deps.clock.now()) + expiresInSeconds;
  const { currentKeyId } = deps.keyRing;
  const signature = Buffer.concat([
    Buffer.from([currentKeyId]),
    sign(deps, currentKeyId, file, String(expires), download),
  ]).toString('base64url');
  const query = `expires=${expires}${download ? '&download=true' : ''}&signature=${signature}`;
  const url = `${contentUrl(deps.config.baseUrl, file)}?${query}`;
  return { url, expiresAt: new Date(expires * 1_000) };
}

/** Whether the signature matches this file and these parameters. */
export function isSigned(deps: Pick<Deps, 'keyRing'>, file: FileIds, given: SignedParameters): boolean {
  const { expires, download, signature } = given;
  if (expires === undefined || signature === undefined) return false;
  if (download !== undefined && download !== 'true') return false;
  const bytes = Buffer.from(signature, 'base64url');
  const keyId = bytes[0];
  // Decoding is lenient, so only the canonical encoding of a signature is accepted.
  if (keyId === undefined || bytes.toString('base64url') !== signature || !deps.keyRing.has(keyId))
    return false;
  return equalInConstantTime(bytes.subarray(1), sign(deps, keyId, file, expires, download === 'true'));
}

function sign(
  { keyRing }: Pick<Deps, 'keyRing'>,
  keyId: number,
  { appId, id }: FileIds,
  expires: string,
  download: boolean,
): Buffer {
  return hmacSha256(keyRing.derive(keyId, 'file-address'), `${appId}\n${id}\n${expires}\n${download}`);
}

function contentUrl(baseUrl: string, { appId, id }: FileIds): string {
  return `${baseUrl}/api/v2/apps/${appId}/files/${id}/content`;
}
