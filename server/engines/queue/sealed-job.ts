// The stored form of a job's data: encrypted, and padded so that its length does not reveal its content.
import type { KeyRing } from '../keys/index.js';

export type JobData = Record<string, unknown>;

export type SealedJob = { sealed: string };

const paddedBytes = 512;

export function sealJob(keyRing: KeyRing, name: string, data: JobData): SealedJob {
  const text = JSON.stringify(data);
  const bytes = Math.ceil((Buffer.byteLength(text) + 1) / paddedBytes) * paddedBytes;
  const plain = Buffer.alloc(bytes, ' ');
  plain.write(text);
  return { sealed: keyRing.encrypt(plain, contextOf(name)).toString('base64') };
}

export function unsealJob(keyRing: KeyRing, name: string, { sealed }: SealedJob): JobData {
  return JSON.parse(keyRing.decrypt(Buffer.from(sealed, 'base64'), contextOf(name)).toString());
}

/** Encrypted with the current key. */
export function resealJob(keyRing: KeyRing, name: string, { sealed }: SealedJob): SealedJob {
  return { sealed: keyRing.reencrypt(Buffer.from(sealed, 'base64'), contextOf(name)).toString('base64') };
}

function contextOf(name: string): string {
  return `job ${name}`;
}
