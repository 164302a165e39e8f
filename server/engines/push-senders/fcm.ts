// Firebase Cloud Messaging, HTTP v1: an access token for the app's service account (RFC 7523), then one call per message. Not
// firebase-admin, which has a fixed URL, one app's credentials per process, and a database client as dependency.
import { SignJWT } from 'jose';
import type { Clock } from '../../src/lib/clock.js';
import { sha256 } from '../../src/lib/crypto/digest.js';
import { secondsOf } from '../../src/lib/timestamp.js';
import { privateKeyOf } from '../keys/index.js';
import { callProvider, type Fetch, type ProviderAnswer, postJson } from '../safe-fetch/index.js';

type FcmAccount = { projectId: string; clientEmail: string; privateKey: string };

/** `from`: the endpoint that answered. */
type FcmAnswer = ProviderAnswer & { from: 'token' | 'messages' };

export type FcmSender = ReturnType<typeof fcmSender>;

type AccessToken = { token: string; until: number } | { refused: FcmAnswer };

const scope = 'https://www.googleapis.com/auth/firebase.messaging';
const assertionSeconds = 3_600;
/** A token is renewed this long before it expires. */
const marginMilliseconds = 60_000;
const maxAccounts = 1_000;

export function fcmSender(
  deps: { fetch: Fetch; clock: Clock },
  addresses: { fcmUrl: string; fcmTokenUrl: string },
) {
  const cached = new Map<string, Promise<AccessToken>>();
  const now = () => deps.clock.now();

  function accessToken(account: FcmAccount): Promise<AccessToken> {
    const name = nameOf(account);
    const known = cached.get(name);
    if (known) return known;
    const requested = requestToken(account);
    if (cached.size >= maxAccounts) cached.clear();
    cached.set(name, requested);
    // Failures are not cached.
    requested.then(
      (answer) => 'refused' in answer && drop(account, requested),
      () => drop(account, requested),
    );
    return requested;
  }

  async function requestToken(account: FcmAccount): Promise<AccessToken> {
    const assertion = await new SignJWT({ scope })
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
      .setIssuer(account.clientEmail)
      .setAudience(addresses.fcmTokenUrl)
      .setIssuedAt(secondsOf(now()))
      .setExpirationTime(secondsOf(now()) + assertionSeconds)
      .sign(await privateKeyOf(account.privateKey, 'RS256'));
    const answer = await callProvider(deps, addresses.fcmTokenUrl, {
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion,
    });
    const isGiven = answer.status === 200;
    const { access_token: token, expires_in: seconds } = isGiven ? JSON.parse(answer.body) : {};
    if (typeof token !== 'string' || typeof seconds !== 'number') {
      return { refused: { ...answer, from: 'token', status: isGiven ? 502 : answer.status } };
    }
    return { token, until: now().getTime() + seconds * 1_000 - marginMilliseconds };
  }

  /** Drops an access token, unless another message has already renewed it. */
  function drop(account: FcmAccount, requested: Promise<AccessToken>): void {
    if (cached.get(nameOf(account)) === requested) cached.delete(nameOf(account));
  }

  async function sendWith(
    account: FcmAccount,
    requested: Promise<AccessToken>,
    message: object,
  ): Promise<FcmAnswer> {
    const access = await requested;
    if ('refused' in access) return access.refused;
    const url = `${addresses.fcmUrl}/v1/projects/${encodeURIComponent(account.projectId)}/messages:send`;
    return { from: 'messages', ...(await postJson(deps, url, access.token, { message })) };
  }

  return {
    async send(account: FcmAccount, message: object): Promise<FcmAnswer> {
      let requested = accessToken(account);
      const access = await requested;
      if ('until' in access && access.until <= now().getTime()) {
        drop(account, requested);
        requested = accessToken(account);
      }
      const answer = await sendWith(account, requested, message);
      // The token may have been revoked: one retry with a new one. THIRD_PARTY_AUTH_ERROR does not concern the access token.
      const refused = answer.from === 'messages' && answer.status === 401;
      if (!refused || answer.body.includes('THIRD_PARTY_AUTH_ERROR')) return answer;
      drop(account, requested);
      return sendWith(account, accessToken(account), message);
    },
  };
}

function nameOf(account: FcmAccount): string {
  return sha256(`${account.clientEmail} ${account.privateKey}`).toString('base64url');
}
