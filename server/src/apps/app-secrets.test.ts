// Re-encryption of the secrets of apps while a member changes them.
import { expect } from 'vitest';
import { keyRing } from '../../engines/keys/key-ring.js';
import { testOnServer, untilBlocked } from '../../test/blocked.js';
import { testEncryptionKey, testService } from '../../test/harness.js';
import { ecKeyPair } from '../../test/key-pairs.js';
import { shared } from '../../test/shared.js';
import { systemRandom } from '../lib/crypto/random.js';
import { readAppSecret, reencryptAppSecrets } from './app-secrets.js';

const nextKey = 'another-secret-key-for-tests-and-long-enough!!';
// Like every instance before a rotation: it answers a change of settings with what it reads in them once they are committed,
// which may be re-encrypted by then.
const service = shared(() => testService({ config: { encryptionKeys: [testEncryptionKey, nextKey] } }));
const rotated = keyRing([nextKey, testEncryptionKey], systemRandom());

const pem = () => ecKeyPair().privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

testOnServer.each([
  ['replaced', pem()],
  ['removed', null],
])('a private key that is %s during a re-encryption does not return', async (_, next) => {
  const app = await service.newApp();
  const set = (key: string | null) => service.changeSettings({ provider_b: { private_key: key } }, app);
  await set(pem());
  const { prisma } = service.deps;
  const begun = await prisma.$transaction(async (tx) => {
    await tx.$executeRaw`LOCK TABLE audit_log IN EXCLUSIVE MODE`;
    // Its last statement waits, after the key is written.
    const change = set(next);
    await untilBlocked(service.database, 1);
    const reencryption = reencryptAppSecrets({ prisma, keyRing: rotated }, app.app.id);
    await untilBlocked(service.database, 2);
    return { change, reencryption };
  });
  await begun.change;
  await begun.reencryption;
  const stored = await readAppSecret({ prisma, keyRing: rotated }, app.app.id, 'provider_b.private_key');
  expect(stored?.toString() ?? null).toBe(next);
});
