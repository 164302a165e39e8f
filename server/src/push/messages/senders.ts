// Sends to the providers for which an app has credentials. On the embedded database a sink accepts messages without
// credentials, so that an app can be developed before its provider accounts exist.
import { UnusableKeyError } from '../../../engines/keys/index.js';
import {
  classifyApns,
  classifyFcm,
  classifyWebPush,
  noAnswer,
  type Verdict,
} from '../../../engines/push-senders/index.js';
import { ForbiddenUrlError } from '../../../engines/safe-fetch/index.js';
import { apnsKey, fcmServiceAccount, readAppSecret, webPushKey } from '../../apps/app-secrets.js';
import type { Deps } from '../../deps.js';
import type { App } from '../../model/app.js';
import type { PushProvider } from '../devices/columns.js';
import type { PushToken } from '../devices/encrypted-tokens.js';
import type { PushTarget } from '../devices/find-targets.js';
import type { Content } from './columns.js';
import { apnsMessage, fcmMessage, webPushMessage } from './provider-payloads.js';

export type SendOne = (target: PushTarget, content: Content) => Promise<Verdict>;
type ProviderSender = (target: PushTarget & { token: PushToken }, content: Content) => Promise<Verdict>;

type SenderDeps = Pick<Deps, 'config' | 'prisma' | 'keyRing' | 'clock' | 'logger' | 'pushSenders'>;

/** Whether the app has credentials for the provider, or the sink accepts its messages. */
export function isConfigured(deps: Pick<Deps, 'config'>, app: App, provider: PushProvider): boolean {
  return hasCredentials(app, provider) || hasSink(deps);
}

/** Reads the app's credentials once. The returned function returns verdicts and never throws. */
export async function sendersOf(deps: SenderDeps, app: App): Promise<SendOne> {
  const senders = {
    fcm: await fcmSender(deps, app),
    apns: await apnsSender(deps, app),
    webpush: await webPushSender(deps, app),
  };
  const logged = new Set<PushProvider>();
  return async ({ token, ...target }, content) => {
    const send = senders[target.provider];
    if (!send) {
      return hasSink(deps)
        ? { is: 'accepted', providerMessageId: `sink:${target.id}` }
        : { is: 'failed', error: 'provider-not-configured' };
    }
    if (!token) return { is: 'failed', error: 'token-unreadable' };
    try {
      return await send({ ...target, token }, content);
    } catch (error) {
      if (error instanceof UnusableKeyError) return { is: 'stop', error: 'credentials-unusable' };
      if (error instanceof ForbiddenUrlError) return { is: 'failed', error: `address-${error.reason}` };
      // Once per batch: there may be thousands, and each has its receipt.
      if (!logged.has(target.provider)) {
        const about = { app_id: app.id, provider: target.provider, err: error };
        deps.logger.warn(about, 'a push provider did not answer');
        logged.add(target.provider);
      }
      return noAnswer;
    }
  };
}

function hasCredentials(app: App, provider: PushProvider): boolean {
  const { fcm, apns, web_push: webPush } = app.settings.push;
  if (provider === 'fcm') return fcm.service_account_set;
  if (provider === 'webpush') return webPush.subject !== null && webPush.public_key !== null;
  const { key_id: keyId, team_id: teamId, bundle_id: bundleId, private_key_set: keySet } = apns;
  return keyId !== null && teamId !== null && bundleId !== null && keySet;
}

function hasSink({ config }: Pick<Deps, 'config'>): boolean {
  return config.databaseUrl === undefined;
}

async function fcmSender(deps: SenderDeps, app: App): Promise<ProviderSender | null> {
  const account = await secretOf(deps, app, 'fcm', fcmServiceAccount);
  if (account === null) return null;
  const { project_id: projectId, client_email: clientEmail, private_key: privateKey } = JSON.parse(account);
  return async ({ token }, content) =>
    classifyFcm(
      await deps.pushSenders.fcm.send(
        { projectId, clientEmail, privateKey },
        fcmMessage(content, token.token, deps.clock.now()),
      ),
    );
}

async function apnsSender(deps: SenderDeps, app: App): Promise<ProviderSender | null> {
  const { key_id: keyId, team_id: teamId, bundle_id: bundleId } = app.settings.push.apns;
  const privateKey = await secretOf(deps, app, 'apns', apnsKey);
  if (privateKey === null || keyId === null || teamId === null || bundleId === null) return null;
  const key = { keyId, teamId, bundleId, privateKey };
  return async ({ token: { token }, environment, lastRegisteredAt }, content) => {
    const message = { environment, token, ...apnsMessage(content, bundleId, deps.clock.now()) };
    return classifyApns(await deps.pushSenders.apns.send(key, message), lastRegisteredAt);
  };
}

async function webPushSender(deps: SenderDeps, app: App): Promise<ProviderSender | null> {
  const { subject, public_key: publicKey } = app.settings.push.web_push;
  const privateKey = await secretOf(deps, app, 'webpush', webPushKey);
  if (privateKey === null || subject === null || publicKey === null) return null;
  const identity = { keys: { publicKey, privateKey }, subject };
  return async ({ token: { token: endpoint, keys } }, content) => {
    if (!keys) return { is: 'failed', error: 'no-keys' };
    const subscription = { endpoint, ...keys };
    return classifyWebPush(
      await deps.pushSenders.webPush.send(identity, subscription, webPushMessage(content)),
    );
  };
}

async function secretOf(deps: SenderDeps, app: App, provider: PushProvider, name: string) {
  if (!hasCredentials(app, provider)) return null;
  return (await readAppSecret(deps, app.id, name))?.toString() ?? null;
}
