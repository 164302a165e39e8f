// POST /admin/settings/check-provider: checks the stored settings of an identity provider, and asks the provider whether its
// keys can be read and whether it accepts the private key of the app. No message contains a secret or text of the provider.
import { createPrivateKey } from 'node:crypto';
import type { ProviderCheck } from '@foyer/contract';
import { readAppSecret } from '../apps/app-secrets.js';
import { providerBKey } from '../apps/settings-rules.js';
import type { Deps, ProviderName } from '../deps.js';
import { connectionFailure } from '../lib/http/connection-failure.js';
import { readKeySet } from '../lib/http/provider-keys.js';
import type { App } from '../model/app.js';
import { clientIdsOf } from './provider.js';
import { signClientSecret, tryClientSecret } from './provider-b.js';
import {
  type CheckStep,
  checkSettingsOfProviderA,
  checkSettingsOfProviderB,
  failed,
  passed,
  skipped,
  withoutKey,
} from './provider-settings-rules.js';

type CheckDeps = Pick<Deps, 'apps' | 'limiter' | 'prisma' | 'keyRing' | 'clock' | 'config' | 'fetch'>;

/** Limited for each app, since the provider counts the requests of all apps together. */
export async function checkProvider(
  deps: CheckDeps,
  appId: string,
  provider: ProviderName,
): Promise<ProviderCheck> {
  const app = await deps.apps.fresh(appId);
  await deps.limiter.consume('provider-check', app, 'all providers');
  const steps = provider === 'provider-a' ? await checkProviderA(deps, app) : await checkProviderB(deps, app);
  return { ok: steps.every(({ status }) => status !== 'failed'), steps };
}

async function checkProviderA(deps: CheckDeps, app: App): Promise<CheckStep[]> {
  const { issuers, jwksUrl } = deps.config.providerA;
  const isGoogle = issuers[0] === 'https://accounts.google.com';
  return [
    ...checkSettingsOfProviderA(app.settings.provider_a, isGoogle),
    await checkKeySet(deps, jwksUrl, 'PROVIDER_A_JWKS_URL'),
  ];
}

async function checkProviderB(deps: CheckDeps, app: App): Promise<CheckStep[]> {
  const { issuers, jwksUrl } = deps.config.providerB;
  const isApple = issuers[0] === 'https://appleid.apple.com';
  const settings = checkSettingsOfProviderB(app.settings.provider_b, isApple);
  const pem = await readAppSecret(deps, app.id, providerBKey);
  const privateKey = checkPrivateKey(pem);
  const mayAsk = [...settings, privateKey].every(({ status }) => status !== 'failed');
  const [keySet, ...clientSecrets] = await Promise.all([
    checkKeySet(deps, jwksUrl, 'PROVIDER_B_JWKS_URL'),
    ...clientIdsOf(app, 'provider-b').map((clientId) =>
      pem && mayAsk
        ? checkClientSecret(deps, app, clientId, pem)
        : skipped(clientSecret(clientId), 'Solve the problems above first.'),
    ),
  ]);
  return [...settings, privateKey, keySet, ...clientSecrets];
}

const keySetName = 'Keys of the provider';

async function checkKeySet(deps: CheckDeps, url: string, variable: string): Promise<CheckStep> {
  const { host } = new URL(url);
  try {
    const { keys } = await readKeySet(deps, url);
    return passed(keySetName, `The service can read them at ${host}: ${keys.length}.`);
  } catch (error) {
    return unreachable(keySetName, `read them at ${host}`, error, variable);
  }
}

const privateKeyName = 'Private key';

function checkPrivateKey(pem: Buffer | null): CheckStep {
  if (pem === null)
    return failed(
      privateKeyName,
      `Upload the private key, the file AuthKey_….p8 that Apple offers once. ${withoutKey}`,
    );
  return isP256(pem)
    ? passed(privateKeyName, 'An elliptic curve key on P-256.')
    : failed(
        privateKeyName,
        'The stored key is not an elliptic curve key on P-256, so the provider cannot accept it. Upload the file ' +
          'AuthKey_….p8 as it was downloaded; if it is lost, create a new key and set its key id.',
      );
}

function isP256(pem: Buffer): boolean {
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = createPrivateKey(pem);
    return asymmetricKeyType === 'ec' && asymmetricKeyDetails?.namedCurve === 'prime256v1';
  } catch {
    return false;
  }
}

function clientSecret(clientId: string): string {
  return `Private key accepted for ${clientId}`;
}

async function checkClientSecret(
  deps: CheckDeps,
  app: App,
  clientId: string,
  privateKey: Buffer,
): Promise<CheckStep> {
  const name = clientSecret(clientId);
  const secret = await signClientSecret(deps, app, clientId, privateKey);
  const { host } = new URL(deps.config.providerB.tokenUrl);
  try {
    const result = await tryClientSecret(deps, { clientId, clientSecret: secret });
    if (result === 'accepted') return passed(name, `${host} accepts it.`);
    if (result === 'rejected') {
      return failed(
        name,
        `${host} rejects it. Check that the team id is that of the account which owns the key, that the key id belongs to ` +
          `the uploaded file, that the key is enabled for Sign in with Apple and was not revoked, and that ${clientId} ` +
          'is an identifier of the same team with Sign in with Apple enabled.',
      );
    }
    return failed(
      name,
      `${host} answered with status ${result.status} (${result.error}), which neither accepts nor rejects it. Try again ` +
        `later; if it stays, check that Sign in with Apple is enabled for ${clientId}.`,
    );
  } catch (error) {
    return unreachable(name, `reach ${host}`, error, 'PROVIDER_B_TOKEN_URL');
  }
}

function unreachable(name: string, what: string, error: unknown, variable: string): CheckStep {
  return failed(
    name,
    `The service cannot ${what}: ${reasonOf(error)}. Try again later. If it fails again, whoever operates the service ` +
      `must allow connections to this host, or correct ${variable}.`,
  );
}

/** Without text of the provider, which a parser quotes in its message. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error) || error instanceof TypeError) return connectionFailure(error);
  if (error.name === 'TimeoutError') return 'no response in time';
  return error instanceof SyntaxError ? 'the response is not JSON' : error.message;
}
