// @ts-check
// One hashing thread. JavaScript and not TypeScript, because a thread is started from a file that Node can read as it is.
// `argon2` is the algorithm and the format; @node-rs/argon2 is the same with SIMD, used where its binary is there.
import { parentPort, workerData } from 'node:worker_threads';

const { memoryCost, timeCost, parallelism } = workerData.parameters;

/** @returns {Promise<{hash: (password: string) => string | Promise<string>, verify: (hash: string, password: string) => boolean | Promise<boolean>}>} */
async function binding() {
  if (workerData.binding !== 'argon2') {
    try {
      const fast = await import('@node-rs/argon2');
      // 2 names argon2id; the enumeration is erased from the package's types.
      const options = { algorithm: 2, memoryCost, timeCost, parallelism };
      return { hash: (password) => fast.hashSync(password, options), verify: fast.verifySync };
    } catch {
      // There is no build for this platform: the portable binding does the same work, slower.
    }
  }
  const { argon2id, hash, verify } = await import('argon2');
  const options = /** @type {const} */ ({ type: argon2id, memoryCost, timeCost, parallelism });
  return { hash: (password) => hash(password, options), verify };
}

const { hash, verify } = await binding();

/**
 * Hashes that were brought over from v1. Plain JavaScript, since most are verified once and then replaced; it reads `$2y$` as
 * `$2b$` and cuts at 72 bytes, as v1 did. What holds U+0000 was no password of v1's, which ended one there.
 * @type {(hash: string, password: string) => Promise<boolean>}
 */
async function verifyBcrypt(hash, password) {
  const { compareSync } = await import('bcryptjs');
  return !password.includes('\0') && compareSync(password, hash);
}

/**
 * @typedef {{password: string, hash?: string, slow: boolean, decoy?: {password: string, hash: string}}} Message
 * @type {(message: Message) => Promise<{value: string | boolean, done: number}>}
 */
async function answerTo({ password, hash: stored, slow, decoy }) {
  if (stored === undefined) return { value: await hash(password), done: 1 };
  if (!slow) return { value: await verify(stored, password), done: 1 };
  const fits = await verifyBcrypt(stored, password);
  if (fits || decoy === undefined) return { value: fits, done: 1 };
  await verify(decoy.hash, decoy.password);
  return { value: false, done: 2 };
}

parentPort?.on('message', async (/** @type {Message} */ message) => {
  try {
    parentPort?.postMessage(await answerTo(message));
  } catch (error) {
    parentPort?.postMessage({ error: String(error), done: 1 });
  }
});
