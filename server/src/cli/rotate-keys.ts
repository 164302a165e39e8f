// foyer rotate-keys: rotates the signing keys, or re-encrypts stored secrets.
import { reencryptJobs } from '../../engines/queue/index.js';
import { reencryptAppSecrets } from '../apps/app-secrets.js';
import { listApps } from '../apps/create-app.js';
import { listAppIds } from '../apps/store.js';
import { writeEntryForEveryApp } from '../audit/entry.js';
import { reencryptStoredResponses } from '../idempotency/stored-response.js';
import { reencryptProviderTokens } from '../identities/stored-provider-tokens.js';
import { commandLine } from '../model/actor.js';
import { reencryptPushTokens } from '../push/devices/encrypted-tokens.js';
import { reencryptFactors } from '../second-factor/stored-secret.js';
import {
  algorithmsWithKeys,
  reencryptSigningKeys,
  rotateSigningKeys,
} from '../tokens/rotate-signing-keys.js';
import { reencryptWebhookSecrets } from '../webhooks/endpoints/secret.js';
import { parse, UsageError, type WithStore } from './argv.js';

const ofEachApp = [
  reencryptAppSecrets,
  reencryptPushTokens,
  reencryptProviderTokens,
  reencryptFactors,
  reencryptWebhookSecrets,
  reencryptStoredResponses,
];

export async function rotateKeys(argv: string[], withStore: WithStore): Promise<void> {
  const { options } = parse(argv, { secret: { type: 'boolean' }, 'revoke-retired': { type: 'boolean' } });
  if (options.secret && options['revoke-retired'])
    throw new UsageError('--secret and --revoke-retired cannot be combined');
  await withStore(async (deps, print) => {
    if (options.secret) {
      let count = (await reencryptSigningKeys(deps)) + (await reencryptJobs(deps));
      for (const appId of await listAppIds(deps.prisma)) {
        for (const reencrypt of ofEachApp) count += await reencrypt(deps, appId);
      }
      await deps.prisma.$transaction((tx) =>
        writeEntryForEveryApp(tx, deps, {
          actor: commandLine,
          action: 'secrets.reencrypted',
          target: `encryption_key:${deps.keyRing.currentKeyId}`,
          details: { count },
        }),
      );
      return print(`Re-encrypted ${count} secrets with the first key of ENCRYPTION_KEYS.`);
    }
    const ofApps = (await listApps(deps)).map((app) => app.tokenAlgorithm);
    for (const algorithm of new Set(['ES256' as const, ...ofApps, ...(await algorithmsWithKeys(deps))])) {
      const keys = await rotateSigningKeys(deps, algorithm, {
        revokeRetired: options['revoke-retired'] === true,
      });
      print(`${algorithm}: ${keys.current} is current, ${keys.next} is next, ${keys.retired} is retired.`);
    }
    print(
      options['revoke-retired']
        ? 'Retired keys were removed from the key set: access tokens that they signed are rejected, and clients refresh them.'
        : 'The retired key stays in the key set until the last token it signed has expired.',
    );
  });
}
