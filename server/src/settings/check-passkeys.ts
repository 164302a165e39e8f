// POST /admin/settings/check-passkeys: fetches the files of the relying party's host that mobile apps need. No message contains
// text of the host.
import type { ProviderCheck } from '@foyer/contract';
import { connectionFailure, ForbiddenUrlError } from '../../engines/safe-fetch/index.js';
import type { Deps } from '../deps.js';
import {
  androidFile,
  appleFile,
  checkAndroidFile,
  checkAppleFile,
  type FetchedFile,
} from './passkey-settings-rules.js';
import { type CheckStep, failed, passed, skipped } from './provider-settings-rules.js';

type CheckDeps = Pick<Deps, 'apps' | 'limiter' | 'ssrfSafeFetch'>;

const timeoutMilliseconds = 5_000;
const maxAnswerBytes = 128 * 1_024;

export async function checkPasskeys(deps: CheckDeps, appId: string): Promise<ProviderCheck> {
  const app = await deps.apps.fresh(appId);
  await deps.limiter.consume('provider-check', app, 'passkeys');
  const steps = await stepsOf(deps, app.settings.passkeys);
  return { ok: steps.every(({ status }) => status !== 'failed'), steps };
}

const settingsStep = 'Settings';

async function stepsOf(
  deps: CheckDeps,
  passkeys: Parameters<typeof checkAndroidFile>[1] | null,
): Promise<CheckStep[]> {
  if (!passkeys) return [failed(settingsStep, 'Passkeys are off: set the domain and the origins.')];
  const { rp_id: rpId } = passkeys;
  const settings = passed(settingsStep, `Passkeys are bound to ${rpId}.`);
  if (rpId === 'localhost')
    return [settings, skipped('Mobile apps', 'They cannot use passkeys of localhost.')];
  const [apple, android] = await Promise.all(
    [appleFile, androidFile].map((path) => fetchFile(deps, `https://${rpId}${path}`)),
  );
  return [settings, checkAppleFile(apple as FetchedFile), checkAndroidFile(android as FetchedFile, passkeys)];
}

async function fetchFile(deps: CheckDeps, url: string): Promise<FetchedFile> {
  try {
    const headers = { Accept: 'application/json' };
    const request = { method: 'GET', headers, timeoutMilliseconds, maxAnswerBytes } as const;
    const { status, body } = await deps.ssrfSafeFetch.send(url, request);
    return { status, body: body.toString() };
  } catch (error) {
    if (error instanceof ForbiddenUrlError) return { failure: `the host ${error.message}` };
    const isSlow = error instanceof Error && error.name === 'TimeoutError';
    return { failure: isSlow ? 'no response in time' : connectionFailure(error) };
  }
}
