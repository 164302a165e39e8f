// A stored response: encrypted, and bound to its idempotency key. It contains the digest of the request, so that the HMAC can
// be computed again when ENCRYPTION_KEYS changes.
import type { ErrorCode } from '@foyer/contract';
import type { Tx } from '@foyer/prisma';
import { type KeyRing, reencryptRows } from '../../engines/keys/index.js';
import type { Deps } from '../deps.js';
import { hmacSha256 } from '../lib/crypto/digest.js';
import { type AnsweredKey, type KeyPlace, listAnswersOfOtherKeys, replaceAnswer } from './store.js';

export type StoredResponse =
  | { status: number; body?: unknown; headers: Record<string, string> }
  | { code: ErrorCode; fields: Record<string, string[]> };

/** Stores the response in the transaction of the operation, so that both commit or neither. */
export type StoreResponse<Result> = (tx: Tx, result: Result) => Promise<void>;

type Sealed = { digest: string; answer: StoredResponse };

export function requestHmac(keyRing: KeyRing, keyId: number, digest: Buffer): Buffer {
  return hmacSha256(keyRing.derive(keyId, 'idempotency request'), digest);
}

export function sealAnswer(
  keyRing: KeyRing,
  place: KeyPlace,
  digest: Buffer,
  answer: StoredResponse,
): Buffer {
  const sealed: Sealed = { digest: digest.toString('base64'), answer };
  return keyRing.encrypt(Buffer.from(JSON.stringify(sealed)), contextOf(place));
}

export function openAnswer(keyRing: KeyRing, place: KeyPlace, answer: Uint8Array): Sealed {
  return JSON.parse(keyRing.decrypt(answer, contextOf(place)).toString());
}

/** Re-encrypts the stored responses of an app with the current encryption key; returns how many used another. */
export function reencryptStoredResponses(
  { prisma, keyRing }: Pick<Deps, 'prisma' | 'keyRing'>,
  appId: string,
): Promise<number> {
  return reencryptRows<AnsweredKey>(keyRing, {
    list: (last, keyId, maxRows) => listAnswersOfOtherKeys(prisma, appId, keyId, { last, maxRows }),
    replace(row) {
      const { digest, answer } = openAnswer(keyRing, row, row.answer);
      const bytes = Buffer.from(digest, 'base64');
      const keyId = keyRing.currentKeyId;
      return replaceAnswer(prisma, row, {
        keyId,
        request: requestHmac(keyRing, keyId, bytes),
        answer: sealAnswer(keyRing, row, bytes, answer),
      });
    },
  });
}

function contextOf({ appId, actor, route, key }: KeyPlace): string {
  return `idempotency ${appId} ${actor} ${route} ${key}`;
}
