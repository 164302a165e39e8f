// @ts-check
// One hashing thread. JavaScript and not TypeScript, because a thread is started from a file that Node can read as it is.
// `argon2` is the algorithm and the format; @node-rs/argon2 is the same with SIMD, used where its binary is there.
import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';

// On Linux this is the priority of the calling thread alone: a storm of sign-ins then leaves the event loop its processor.
if (process.platform === 'linux') setPriority(10);

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
      // Not built for this platform: the portable binding does the same work, slower.
    }
  }
  const { argon2id, hash, verify } = await import('argon2');
  const options = /** @type {const} */ ({ type: argon2id, memoryCost, timeCost, parallelism });
  return { hash: (password) => hash(password, options), verify };
}

const { hash, verify } = await binding();

parentPort?.on('message', async (/** @type {{password: string, hash?: string}} */ job) => {
  try {
    const value = job.hash === undefined ? await hash(job.password) : await verify(job.hash, job.password);
    parentPort?.postMessage({ value });
  } catch (error) {
    parentPort?.postMessage({ error: String(error) });
  }
});
