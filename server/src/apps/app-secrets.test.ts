// Re-encryption of the secrets of apps while a member changes them.
import { expect } from 'vitest';
import { testOnServer, untilBlocked } from '../../test/blocked.js';
import { testEncryptionKey, testService } from '../../test/harness.js';
import { shared } from '../../test/shared.js';
import { keyRing } from '../lib/crypto/key-ring.js';
import { systemRandom } from '../lib/crypto/random.js';
import { readAppSecret, reencryptAppSecrets } from './app-secrets.js';

const service = shared(() => testService());

const rotated = keyRing(
  ['another-secret-key-for-tests-and-long-enough!!', testEncryptionKey],
  systemRandom(),
);

const pem = (filling: string) =>
  `-----BEGIN PRIVATE KEY-----\n${Buffer.alloc(100, filling).toString('base64')}\n-----END PRIVATE KEY-----\n`;

testOnServer.each([
  ['replaced', pem('new')],
  ['removed', null],
])('a private key that is %s during a re-encryption does not return', async (_, next) => {
  const app = await service.newApp();
  const set = (key: string | null) => service.changeSettings({ provider_b: { private_key: key } }, app);
  await set(pem('old'));
  const { prisma, clock } = service.deps;
  const begun = await prisma.$transaction(async (tx) => {
    await tx.$executeRaw`LOCK TABLE audit_log IN EXCLUSIVE MODE`;
    // Its last statement waits, after the key is written.
    const change = set(next);
    await untilBlocked(service.database, 1);
    const reencryption = reencryptAppSecrets({ prisma, clock, keyRing: rotated });
    await untilBlocked(service.database, 2);
    return { change, reencryption };
  });
  await begun.change;
  await begun.reencryption;
  const stored = await readAppSecret({ prisma, keyRing: rotated }, app.app.id, 'provider_b.private_key');
  expect(stored?.toString() ?? null).toBe(next);
});
