// Apple Push Notification service over HTTP/2 with a provider token (JWT). Uses node:http2 directly, with one connection per key,
// bundle and environment.
import { type ClientHttp2Session, connect } from 'node:http2';
import { SignJWT } from 'jose';
import type { Clock } from '../../src/lib/clock.js';
import { sha256 } from '../../src/lib/crypto/digest.js';
import { jsonIn } from '../../src/lib/json-rules.js';
import { recentValues } from '../../src/lib/recent-values.js';
import { secondsOf } from '../../src/lib/timestamp.js';
import { privateKeyOf } from '../keys/index.js';

type ApnsKey = { teamId: string; keyId: string; bundleId: string; privateKey: string };

export type ApnsMessage = {
  environment: 'production' | 'sandbox';
  token: string;
  headers: Record<string, string>;
  body: string;
};

type ApnsAnswer = {
  status: number;
  apnsId: string | null;
  retryAfter: string | null;
  /** The name of a refusal, and the time since which the token is unregistered, in milliseconds. */
  reason: string | null;
  timestamp: number | null;
};

export type ApnsSender = ReturnType<typeof apnsSender>;

/** APNs refuses tokens older than an hour, and new ones more often than every 20 minutes. */
const storedTokens = { milliseconds: 50 * 60_000, entries: 1_000 };
const timeoutMilliseconds = 10_000;
const idleMilliseconds = 60_000;
const maxAnswerBytes = 4_096;

export function apnsSender(deps: { clock: Clock }, addresses: { apnsUrl: string; apnsSandboxUrl: string }) {
  const sessions = new Map<string, ClientHttp2Session>();
  // After the clock stepped back, APNs would refuse a token from before: it is not recent.
  const tokens = recentValues<Promise<string>>(deps.clock, storedTokens);

  /** Caches the promise, so that concurrent messages share one token. */
  function providerToken(key: ApnsKey): Promise<string> {
    const known = tokens.get(nameOf(key));
    if (known) return known;
    const token = newToken(key, secondsOf(deps.clock.now()));
    tokens.set(nameOf(key), token);
    token.catch(() => tokens.delete(nameOf(key)));
    return token;
  }

  /** One connection per key and bundle: APNs binds a connection to those of its first message. */
  function sessionFor(origin: string, key: ApnsKey): ClientHttp2Session {
    const name = `${origin} ${nameOf(key)} ${key.bundleId}`;
    const open = sessions.get(name);
    if (open && !open.closed && !open.destroyed) return open;
    const session = connect(origin);
    const forget = () => {
      if (sessions.get(name) === session) sessions.delete(name);
    };
    session.once('close', forget).once('goaway', forget);
    // Each request of a broken connection gets its own error.
    session.on('error', () => session.destroy());
    session.setTimeout(idleMilliseconds, () => session.close());
    session.unref();
    sessions.set(name, session);
    return session;
  }

  function sendWith(token: string, key: ApnsKey, message: ApnsMessage): Promise<ApnsAnswer> {
    const origin = message.environment === 'sandbox' ? addresses.apnsSandboxUrl : addresses.apnsUrl;
    const headers = { authorization: `bearer ${token}`, ...message.headers };
    return exchange(sessionFor(origin, key), headers, message);
  }

  return {
    async send(key: ApnsKey, message: ApnsMessage): Promise<ApnsAnswer> {
      const token = await providerToken(key);
      const answer = await sendWith(token, key, message);
      if (answer.reason !== 'ExpiredProviderToken') return answer;
      // The clocks of service and Apple may differ: one retry with a new token, unless another message has already renewed it.
      if ((await tokens.get(nameOf(key))) === token) tokens.delete(nameOf(key));
      return sendWith(await providerToken(key), key, message);
    },
    async close(): Promise<void> {
      for (const session of sessions.values()) session.destroy();
      sessions.clear();
    },
  };
}

async function newToken(key: ApnsKey, nowSeconds: number): Promise<string> {
  return new SignJWT()
    .setProtectedHeader({ alg: 'ES256', kid: key.keyId })
    .setIssuer(key.teamId)
    .setIssuedAt(nowSeconds)
    .sign(await privateKeyOf(key.privateKey, 'ES256'));
}

function exchange(
  session: ClientHttp2Session,
  headers: Record<string, string>,
  { token, body }: ApnsMessage,
): Promise<ApnsAnswer> {
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(timeoutMilliseconds);
    const request = session.request(
      { ':method': 'POST', ':path': `/3/device/${token}`, 'content-type': 'application/json', ...headers },
      { signal },
    );
    let answered: Omit<ApnsAnswer, 'reason' | 'timestamp'> | null = null;
    let text = '';
    request.setEncoding('utf8');
    request.on('response', (came) => {
      const one = (name: string) => (typeof came[name] === 'string' ? (came[name] as string) : null);
      answered = { status: came[':status'] ?? 0, apnsId: one('apns-id'), retryAfter: one('retry-after') };
    });
    request.on('data', (part: string) => {
      if (text.length < maxAnswerBytes) text += part;
    });
    request.on('end', () => {
      if (answered) resolve({ ...answered, ...refusalIn(text) });
    });
    request.on('error', (error) => {
      // The connection may be dead, although TCP has not noticed: the next message opens another one.
      if (signal.aborted) session.close();
      reject(error);
    });
    request.on('close', () => reject(new Error('APNs closed the stream without an answer')));
    request.end(body);
  });
}

function refusalIn(text: string): Pick<ApnsAnswer, 'reason' | 'timestamp'> {
  const { reason, timestamp } = (jsonIn(text) ?? {}) as { reason?: unknown; timestamp?: unknown };
  return {
    reason: typeof reason === 'string' ? reason : null,
    timestamp: typeof timestamp === 'number' ? timestamp : null,
  };
}

function nameOf(key: ApnsKey): string {
  return sha256(`${key.teamId} ${key.keyId} ${key.privateKey}`).toString('base64url');
}
