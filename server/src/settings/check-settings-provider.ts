// Checks a provider of the settings: whether its keys can be found and read, and whether it accepts the client of sign-in by
// redirect. No message contains text of the provider.
import {
  connectionFailure,
  type Discovered,
  DiscoveryError,
  discover,
  discoveryUrlOf,
  ForbiddenUrlError,
  readDiscoveredKeys,
} from '../../engines/safe-fetch/index.js';
import type { Deps, RedirectServer } from '../deps.js';
import { serverIn } from '../identities/authorization-server.js';
import { tryRedirectClient } from '../identities/exchange-redirect-code.js';
import { gitHubServer } from '../identities/github.js';
import { isRedirectable, redirectProviderOf } from '../identities/redirect-provider.js';
import type { App } from '../model/app.js';
import { type CheckStep, failed, passed, skipped } from './provider-settings-rules.js';

const discoveryName = 'Discovery document';
const keysName = 'Keys of the provider';

const clientName = 'Client of sign-in by redirect';

type CheckDeps = Pick<Deps, 'ssrfSafeFetch' | 'prisma' | 'keyRing' | 'config' | 'clock'>;

export async function checkSettingsProvider(
  deps: CheckDeps,
  app: App,
  { id, kind, issuer }: { id: string; kind: 'oidc' | 'github'; issuer: string },
): Promise<CheckStep[]> {
  if (kind === 'github') return [await checkClient(deps, app, id, gitHubServer(issuer))];
  let discovered: Discovered;
  try {
    discovered = await discover(deps, issuer);
  } catch (error) {
    const advice =
      error instanceof DiscoveryError
        ? `Open ${discoveryUrlOf(issuer)}: its "issuer" must be ${issuer}, with the same slash at its end.`
        : `Check the issuer ${issuer}.`;
    const later = 'Solve the problem above first.';
    return [
      failed(discoveryName, `${reasonOf(error)}. ${advice}`),
      skipped(keysName, later),
      skipped(clientName, later),
    ];
  }
  const [keys, client] = await Promise.all([
    checkKeys(deps, discovered.jwksUrl),
    checkDiscoveredClient(deps, app, { id, issuer }, discovered),
  ]);
  return [passed(discoveryName, `It names the issuer ${issuer}.`), keys, client];
}

async function checkKeys(deps: CheckDeps, jwksUrl: string): Promise<CheckStep> {
  try {
    const { keys } = await readDiscoveredKeys(deps, jwksUrl);
    return passed(keysName, `The service can read them: ${keys.length}.`);
  } catch (error) {
    const advice = 'No ID token can be verified. Try again later, or ask the provider.';
    return failed(keysName, `${reasonOf(error)}. ${advice}`);
  }
}

async function checkDiscoveredClient(
  deps: CheckDeps,
  app: App,
  { id, issuer }: { id: string; issuer: string },
  { document }: Discovered,
): Promise<CheckStep> {
  if (!isRedirectable(deps, app, id))
    return skipped(clientName, 'It has neither a client secret nor a redirect URI.');
  try {
    return await checkClient(deps, app, id, serverIn(issuer, document));
  } catch (error) {
    return failed(clientName, `${reasonOf(error)}. Users cannot sign in with the provider by redirect.`);
  }
}

async function checkClient(
  deps: CheckDeps,
  app: App,
  id: string,
  server: RedirectServer,
): Promise<CheckStep> {
  const provider = redirectProviderOf(deps, app, id);
  if (!provider)
    return failed(clientName, 'Set the client secret: the provider exchanges no code without it.');
  const [clientId] = provider.clientIds;
  try {
    const result = await tryRedirectClient(deps, app, provider, server);
    if (result === 'accepted')
      return passed(clientName, `The provider accepts ${clientId}. The test cannot see its callback URLs.`);
    if (result === 'rejected') {
      const advice = 'Copy both again, and check that the client was not disabled at the provider.';
      return failed(clientName, `The provider rejects ${clientId} or its secret. ${advice}`);
    }
    const { status, error } = result;
    const message = `The provider answered with status ${status} (${error})`;
    if (status === 404)
      return failed(clientName, `${message}. Check the issuer and the client id ${clientId}.`);
    return skipped(clientName, `${message}, which neither accepts nor rejects ${clientId}.`);
  } catch (error) {
    return failed(clientName, `${reasonOf(error)}. No code can be exchanged. Try again later.`);
  }
}

/** A sentence about the URL of the step, without its full stop. */
function reasonOf(error: unknown): string {
  if (error instanceof DiscoveryError) return capitalized(error.message);
  if (error instanceof ForbiddenUrlError) return `The URL ${error.message}`;
  const isSlow = error instanceof Error && error.name === 'TimeoutError';
  return isSlow ? 'There was no response in time' : capitalized(connectionFailure(error));
}

function capitalized(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}
