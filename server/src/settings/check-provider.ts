// POST /admin/settings/check-provider: checks the stored settings of an identity provider, and asks the provider whether its
// keys can be read and whether it accepts the private key of the app. No message contains a secret or text of the provider.
import type { ProviderCheck } from '@foyer/contract';
import { readPrivateKey } from '../../engines/keys/index.js';
import { connectionFailure, readKeySet } from '../../engines/safe-fetch/index.js';
import { providerBKey, readAppSecret } from '../apps/app-secrets.js';
import type { Deps } from '../deps.js';
import { clientIdsOf, isApple, isGoogle, providerSettingsOf } from '../identities/provider.js';
import { signClientSecret, tryClientSecret } from '../identities/provider-b.js';
import { isRedirectable, redirectProviderOf } from '../identities/redirect-provider.js';
import { ApiError } from '../lib/api-error.js';
import type { App } from '../model/app.js';
import { checkSettingsProvider } from './check-settings-provider.js';
import {
  type CheckStep,
  checkSettingsOfProviderA,
  checkSettingsOfProviderB,
  failed,
  passed,
  skipped,
  withoutKey,
} from './provider-settings-rules.js';

type CheckDeps = Pick<
  Deps,
  'apps' | 'limiter' | 'prisma' | 'keyRing' | 'clock' | 'config' | 'fetch' | 'ssrfSafeFetch'
>;

const clientsAtATime = 5;

/** Limited for each app, since the provider counts the requests of all apps together. */
export async function checkProvider(
  deps: CheckDeps,
  appId: string,
  provider: string,
): Promise<ProviderCheck> {
  const app = await deps.apps.fresh(appId);
  await deps.limiter.consume('provider-check', app, 'all providers');
  const steps = [...(await stepsOf(deps, app, provider)), checkRedirectUris(deps, app, provider)];
  return { ok: steps.every(({ status }) => status !== 'failed'), steps };
}

async function stepsOf(deps: CheckDeps, app: App, provider: string): Promise<CheckStep[]> {
  if (provider === 'provider-a') return checkProviderA(deps, app);
  if (provider === 'provider-b') return checkProviderB(deps, app);
  const settings = providerSettingsOf(app, provider);
  if (!settings) throw new ApiError('auth/no-such-provider');
  return checkSettingsProvider(deps, app, { id: provider, ...settings });
}

async function checkProviderA(deps: CheckDeps, app: App): Promise<CheckStep[]> {
  const { providerA } = deps.config;
  return [
    ...checkSettingsOfProviderA(app.settings.provider_a, isGoogle(providerA)),
    await checkKeySet(deps, providerA.jwksUrl, 'PROVIDER_A_JWKS_URL'),
  ];
}

async function checkProviderB(deps: CheckDeps, app: App): Promise<CheckStep[]> {
  const { providerB } = deps.config;
  const settings = checkSettingsOfProviderB(app.settings.provider_b, isApple(providerB));
  const pem = await readAppSecret(deps, app.id, providerBKey);
  const privateKey = checkPrivateKey(pem);
  const mayAsk = [...settings, privateKey].every(({ status }) => status !== 'failed');
  const clientIds = clientIdsOf(app, 'provider-b');
  const [keySet, clientSecrets] = await Promise.all([
    checkKeySet(deps, providerB.jwksUrl, 'PROVIDER_B_JWKS_URL'),
    pem && mayAsk
      ? checkClientSecrets(deps, app, clientIds, pem)
      : clientIds.map((id) => skipped(clientSecret(id), 'Solve the problems above first.')),
  ]);
  return [...settings, privateKey, keySet, ...clientSecrets];
}

/** Never a failure: an app may use ID tokens only, or the page of the account. */
function checkRedirectUris(deps: CheckDeps, app: App, provider: string): CheckStep {
  const name = 'Redirect URIs';
  const { length } = app.settings.redirect_uris;
  if (redirectProviderOf(deps, app, provider) === null)
    return skipped(name, 'Sign-in by redirect is not set up for this provider.');
  if (length > 0)
    return passed(
      name,
      `Users return to ${length === 1 ? 'one' : `one of ${length}`} after a sign-in by redirect.`,
    );
  const consequence = isRedirectable(deps, app, provider)
    ? 'sign-in by redirect works on the account page of the service only'
    : 'users sign in with ID tokens only';
  return skipped(name, `None is stored, so ${consequence}. Enter those of your app under Other providers.`);
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
  const { fault } = readPrivateKey(pem.toString(), 'P-256');
  if (fault === undefined) return passed(privateKeyName, 'An elliptic curve key on P-256.');
  return failed(
    privateKeyName,
    `The stored key ${fault}. Upload the file AuthKey_….p8 as it was downloaded; if it is lost, create a new key and set ` +
      `its key id. ${withoutKey}`,
  );
}

/** Checks the client ids a few at a time; if the provider does not answer for the first one, it is not asked about the others. */
async function checkClientSecrets(
  deps: CheckDeps,
  app: App,
  [first, ...others]: string[],
  privateKey: Buffer,
): Promise<CheckStep[]> {
  if (first === undefined) return [];
  const check = (clientId: string) => checkClientSecret(deps, app, clientId, privateKey);
  const { answered, ...step } = await check(first);
  const steps: CheckStep[] = [step];
  for (let at = 0; at < others.length; at += clientsAtATime) {
    const batch = others.slice(at, at + clientsAtATime);
    if (answered)
      steps.push(...(await Promise.all(batch.map(check))).map(({ answered: _, ...each }) => each));
    else steps.push(...batch.map((id) => skipped(clientSecret(id), 'The provider does not answer.')));
  }
  return steps;
}

function clientSecret(clientId: string): string {
  return `Private key accepted for ${clientId}`;
}

async function checkClientSecret(
  deps: CheckDeps,
  app: App,
  clientId: string,
  privateKey: Buffer,
): Promise<CheckStep & { answered: boolean }> {
  const name = clientSecret(clientId);
  const secret = await signClientSecret(deps, app, clientId, privateKey);
  const { host } = new URL(deps.config.providerB.tokenUrl);
  try {
    const result = await tryClientSecret(deps, { clientId, clientSecret: secret });
    if (result === 'accepted') return answer(passed(name, `${host} accepts it.`));
    if (result === 'rejected') {
      return answer(
        failed(
          name,
          `${host} rejects it. Check that the team id is that of the account which owns the key, that the key id belongs to ` +
            `the uploaded file, that the key is enabled for Sign in with Apple and was not revoked, and that ${clientId} ` +
            'is an identifier of the same team with Sign in with Apple enabled.',
        ),
      );
    }
    return answer(
      failed(
        name,
        `${host} answered with status ${result.status} (${result.error}), which neither accepts nor rejects it. Try again ` +
          `later; if it stays, check that Sign in with Apple is enabled for ${clientId}.`,
      ),
    );
  } catch (error) {
    return { ...unreachable(name, `reach ${host}`, error, 'PROVIDER_B_TOKEN_URL'), answered: false };
  }
}

function answer(step: CheckStep): CheckStep & { answered: true } {
  return { ...step, answered: true };
}

function unreachable(name: string, what: string, error: unknown, variable: string): CheckStep {
  return failed(
    name,
    `The service cannot ${what}: ${reasonOf(error)}. Try again later. If it fails again, whoever operates the service ` +
      `must allow connections to this host, or correct ${variable}.`,
  );
}

/** Omits text of the provider, which a parser quotes in its message. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error) || error instanceof TypeError) return connectionFailure(error);
  if (error.name === 'TimeoutError') return 'no response in time';
  return error instanceof SyntaxError ? 'the response is not JSON' : error.message;
}
