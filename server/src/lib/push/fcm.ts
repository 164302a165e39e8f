// Firebase Cloud Messaging, HTTP v1: an access token for the app's service account (RFC 7523), then one call a message.
// Our own two calls in place of firebase-admin: that one knows one address, holds the credentials of one app a process as
// objects of its own, and brings the client of a database along.
import { SignJWT } from 'jose';
import type { Clock } from '../clock.js';
import { sha256 } from '../crypto/digest.js';
import { privateKeyOf } from '../crypto/private-key.js';
import { callProvider, type Fetch, postJson } from '../http/provider-call.js';
import { secondsOf } from '../timestamp.js';

export type FcmAccount = { projectId: string; clientEmail: string; privateKey: string };

/** `from` says who answered: the token endpoint, which is asked first, or the messages' own. */
export type FcmAnswer = {
  from: 'token' | 'messages';
  status: number;
  body: string;
  retryAfter: string | null;
};

export type FcmSender = { send(account: FcmAccount, message: object): Promise<FcmAnswer> };

type AccessToken = { token: string; until: number } | { refused: FcmAnswer };

const scope = 'https://www.googleapis.com/auth/firebase.messaging';
const assertionSeconds = 3_600;
/** A token is asked for anew this long before it expires. */
const marginMilliseconds = 60_000;
const accountsKept = 1_000;

export function fcmSender(
  deps: { fetch: Fetch; clock: Clock },
  addresses: { fcmUrl: string; fcmTokenUrl: string },
): FcmSender {
  const kept = new Map<string, Promise<AccessToken>>();
  const now = () => deps.clock.now();

  function accessToken(account: FcmAccount): Promise<AccessToken> {
    const name = nameOf(account);
    const known = kept.get(name);
    if (known) return known;
    const asked = askForToken(account);
    if (kept.size >= accountsKept) kept.clear();
    kept.set(name, asked);
    // Only a token that was given is kept.
    asked.then(
      (answer) => 'refused' in answer && drop(account, asked),
      () => drop(account, asked),
    );
    return asked;
  }

  async function askForToken(account: FcmAccount): Promise<AccessToken> {
    const assertion = await new SignJWT({ scope })
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
      .setIssuer(account.clientEmail)
      .setAudience(addresses.fcmTokenUrl)
      .setIssuedAt(secondsOf(now()))
      .setExpirationTime(secondsOf(now()) + assertionSeconds)
      .sign(await privateKeyOf(account.privateKey, 'RS256'));
    const { status, body } = await callProvider(deps, addresses.fcmTokenUrl, {
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion,
    });
    const { access_token: token, expires_in: seconds } = status === 200 ? JSON.parse(body) : {};
    if (typeof token !== 'string' || typeof seconds !== 'number') {
      return { refused: { from: 'token', status: status === 200 ? 502 : status, body, retryAfter: null } };
    }
    return { token, until: now().getTime() + seconds * 1_000 - marginMilliseconds };
  }

  /** Forgets an access token, unless another message has put a newer one in its place. */
  function drop(account: FcmAccount, asked: Promise<AccessToken>): void {
    if (kept.get(nameOf(account)) === asked) kept.delete(nameOf(account));
  }

  async function sendWith(
    account: FcmAccount,
    asked: Promise<AccessToken>,
    message: object,
  ): Promise<FcmAnswer> {
    const access = await asked;
    if ('refused' in access) return access.refused;
    const url = `${addresses.fcmUrl}/v1/projects/${encodeURIComponent(account.projectId)}/messages:send`;
    return { from: 'messages', ...(await postJson(deps, url, access.token, { message })) };
  }

  return {
    async send(account, message) {
      let asked = accessToken(account);
      const access = await asked;
      if ('until' in access && access.until <= now().getTime()) {
        drop(account, asked);
        asked = accessToken(account);
      }
      const answer = await sendWith(account, asked, message);
      // The token may have been revoked before its time: once more, with a new one.
      // It says nothing of the token where a device's own way on from FCM is closed.
      const refused = answer.from === 'messages' && answer.status === 401;
      if (!refused || answer.body.includes('THIRD_PARTY_AUTH_ERROR')) return answer;
      drop(account, asked);
      return sendWith(account, accessToken(account), message);
    },
  };
}

function nameOf(account: FcmAccount): string {
  return sha256(`${account.clientEmail} ${account.privateKey}`).toString('base64url');
}
