// An app as files and back, for hundreds of random configurations: the files of an empty app to which they are applied are the
// same, byte for byte.
import type { AppSettings } from '@foyer/contract';
import { expect, test } from 'vitest';
import { randomApp } from '../../test/app-scenario.js';
import { chanceOf } from '../../test/bad-values.js';
import { seed } from '../../test/seed.js';
import { defaultSettings } from '../apps/default-settings.js';
import { faultsOf, firstParameters, type Parameters } from '../remote-config/config-rules.js';
import { mergedSettings } from '../settings/settings-rules.js';
import { withKeptParts } from './keep-references.js';
import { planOf } from './plan.js';
import { contentOf } from './read-files.js';
import { escapedReferences } from './references.js';
import { type File, filesOf, parametersInFile, settingsInFile, sortedByKey } from './write-files.js';

const rounds = 500;
const secrets = {
  PROVIDER_A_CLIENT_SECRET: 'secret of A',
  PROVIDER_B_PRIVATE_KEY: 'key of B',
  APNS_PRIVATE_KEY: 'key of APNs',
  FCM_SERVICE_ACCOUNT: '{}',
};

type App = {
  settings: AppSettings;
  parameters: Parameters;
  collections: object;
  webhooks: { url: string }[];
};

const emptyApp: App = {
  settings: {
    access_token_seconds: 600,
    token_algorithm: 'ES256',
    allowed_origins: [],
    rate_limits: { sign_in: 1, codes: 1, refresh: 1, client: 1, backend: 1 },
    ...defaultSettings(),
  },
  parameters: firstParameters,
  collections: {},
  webhooks: [],
};

/** As `readAppFiles` does, of an app that is not in a database. */
function written({ settings, parameters, collections, webhooks }: App): File[] {
  return filesOf({
    ...settingsInFile(settings),
    remote_config: parametersInFile(parameters),
    collections: sortedByKey(collections as never),
    webhooks: webhooks
      .map((each) => ({ ...each, url: escapedReferences(each.url) }))
      .sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1)) as never,
  });
}

test(`${rounds} random apps (seed ${seed}) have the same files after pull, apply on an empty app, and pull`, () => {
  const chance = chanceOf(seed);
  for (let round = 0; round < rounds; round += 1) {
    const random = randomApp(chance);
    const withSecrets = chance.oneIn(2)
      ? {
          provider_a: { client_secret: 'secret' },
          provider_b: { private_key: 'key' },
          push: { apns: { private_key: 'key' } },
        }
      : {};
    const settings = mergedSettings(mergedSettings(emptyApp.settings, random.settings), withSecrets);
    const parameters = random.parameters as Parameters;
    // The generator also makes numbers that the service refuses.
    if (Object.keys(faultsOf(parameters)).length > 0) continue;
    const collections = Object.fromEntries(random.collections.map(({ name, ...each }) => [name, each]));
    const files = written({ settings, parameters, collections, webhooks: random.webhooks });

    expect(withKeptParts(files, files, {})).toEqual(files);

    const wanted = contentOf(files);
    const plans = planOf(contentOf(written(emptyApp)), wanted, false);
    const target: App = { ...emptyApp };
    for (const plan of plans) {
      const values = plan.values(secrets);
      if (values.settings) target.settings = mergedSettings(target.settings, values.settings);
      if (values.remote_config) target.parameters = values.remote_config as Parameters;
      if (values.collections) {
        target.collections = Object.fromEntries(values.collections.map(({ name, ...each }) => [name, each]));
      }
      // `$${` in a file is `${` at the service; the commands expand it.
      if (values.webhooks) target.webhooks = random.webhooks;
    }
    expect(written(target)).toEqual(files);
    expect(planOf(contentOf(written(target)), wanted, false)).toEqual([]);
  }
});
