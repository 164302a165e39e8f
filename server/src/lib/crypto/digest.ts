// SHA-256, HMAC, and constant-time comparison.
import { createHmac, hash, timingSafeEqual } from 'node:crypto';

export function sha256(data: string | Uint8Array): Buffer {
  return hash('sha256', data, 'buffer');
}

/** Cheaper than the base64 of a Buffer. */
export function sha256Base64(data: string): string {
  return hash('sha256', data, 'base64');
}

export function hmacSha256(key: Uint8Array, data: string | Uint8Array): Buffer {
  return createHmac('sha256', key).update(data).digest();
}

export function equalInConstantTime(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && timingSafeEqual(left, right);
}
