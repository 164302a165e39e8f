// URLs of a file's content: permanent for a public file, signed with an expiry otherwise. A signature contains the id of the
// encryption key that it is derived from, so that URLs survive a rotation as long as the old key is listed.
import type { Deps } from '../deps.js';
import { equalInConstantTime, hmacSha256 } from '../lib/crypto/digest.js';
import { secondsOf } from '../lib/timestamp.js';
import type { FileRow } from './columns.js';
import type { Signer } from './store.js';

type FileIds = Pick<FileRow, 'appId' | 'id'>;

/** The query of a signed URL. */
export type SignedParameters = {
  expires?: string | undefined;
  download?: string | undefined;
  /** The secret key or the member that asked for the URL, as in the audit log; absent for a user's own. */
  by?: string | undefined;
  signature?: string | undefined;
};

export function publicUrl(baseUrl: string, file: FileRow): string | null {
  return file.visibility === 'public' ? contentUrl(baseUrl, file) : null;
}

export function signedUrl(
  deps: Pick<Deps, 'config' | 'keyRing' | 'clock'>,
  file: FileIds,
  {
    expiresInSeconds,
    download,
    by,
  }: { expiresInSeconds: number; download: boolean; by?: string | undefined },
): { url: string; expiresAt: Date } {
  const expires = secondsOf(deps.clock.now()) + expiresInSeconds;
  const { currentKeyId } = deps.keyRing;
  const signature = Buffer.concat([
    Buffer.from([currentKeyId]),
    sign(deps, currentKeyId, file, { expires: String(expires), download, by }),
  ]).toString('base64url');
  const options = `${download ? '&download=true' : ''}${by === undefined ? '' : `&by=${by}`}`;
  const query = `expires=${expires}${options}&signature=${signature}`;
  const url = `${contentUrl(deps.config.baseUrl, file)}?${query}`;
  return { url, expiresAt: new Date(expires * 1_000) };
}

/** Whether the signature matches this file and these parameters. */
export function isSigned(deps: Pick<Deps, 'keyRing'>, file: FileIds, given: SignedParameters): boolean {
  const { expires, download, by, signature } = given;
  if (expires === undefined || signature === undefined) return false;
  if (download !== undefined && download !== 'true') return false;
  const bytes = Buffer.from(signature, 'base64url');
  const keyId = bytes[0];
  // Decoding is lenient, so only the canonical encoding of a signature is accepted.
  if (keyId === undefined || bytes.toString('base64url') !== signature || !deps.keyRing.has(keyId))
    return false;
  const signed = { expires, download: download === 'true', by };
  return equalInConstantTime(bytes.subarray(1), sign(deps, keyId, file, signed));
}

/** The signer of a URL whose signature was verified. */
export function signerOf(by: string): Signer {
  const [kind, id = ''] = by.split(':');
  return kind === 'member' ? { memberUid: id } : { secretKeyId: id };
}

function sign(
  { keyRing }: Pick<Deps, 'keyRing'>,
  keyId: number,
  { appId, id }: FileIds,
  { expires, download, by }: { expires: string; download: boolean; by: string | undefined },
): Buffer {
  const signed = [appId, id, expires, download, ...(by === undefined ? [] : [by])].join('\n');
  return hmacSha256(keyRing.derive(keyId, 'file-address'), signed);
}

function contentUrl(baseUrl: string, { appId, id }: FileIds): string {
  return `${baseUrl}/api/v2/apps/${appId}/files/${id}/content`;
}
