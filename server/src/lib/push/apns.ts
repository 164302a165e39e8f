// Apple Push Notification service, over HTTP/2 with a provider token (a JWT). node:http2 directly: the service keeps one
// connection a key, bundle and environment open, which is all that a library would do for us.
import { type ClientHttp2Session, connect } from 'node:http2';
import { SignJWT } from 'jose';
import type { Clock } from '../clock.js';
import { sha256 } from '../crypto/digest.js';
import { privateKeyOf } from '../crypto/private-key.js';
import { secondsOf } from '../timestamp.js';

export type ApnsKey = { teamId: string; keyId: string; bundleId: string; privateKey: string };

export type ApnsMessage = {
  environment: 'production' | 'sandbox';
  token: string;
  headers: Record<string, string>;
  body: string;
};

export type ApnsAnswer = {
  status: number;
  apnsId: string | null;
  retryAfter: string | null;
  /** Of a refusal: its name, and since when the token is no more, in milliseconds. */
  reason: string | null;
  timestamp: number | null;
};

export type ApnsSender = {
  send(key: ApnsKey, message: ApnsMessage): Promise<ApnsAnswer>;
  close(): Promise<void>;
};

/** APNs refuses tokens older than an hour, and new ones more often than every 20 minutes. */
const tokenMilliseconds = 50 * 60_000;
const tokensKept = 1_000;
const timeoutMilliseconds = 10_000;
const idleMilliseconds = 60_000;
const maxAnswerBytes = 4_096;

export function apnsSender(
  deps: { clock: Clock },
  addresses: { apnsUrl: string; apnsSandboxUrl: string },
): ApnsSender {
  const sessions = new Map<string, ClientHttp2Session>();
  const tokens = new Map<string, { token: Promise<string>; madeAt: number }>();

  /** Kept while it is being made, too: of many messages at once all take the same. */
  function providerToken(key: ApnsKey): Promise<string> {
    const now = deps.clock.now();
    const known = tokens.get(nameOf(key));
    const age = known ? now.getTime() - known.madeAt : -1;
    // Made ahead of now: the clock has stepped back, and APNs would refuse the token.
    if (known && age >= 0 && age < tokenMilliseconds) return known.token;
    const token = newToken(key, secondsOf(now));
    if (tokens.size >= tokensKept) tokens.clear();
    tokens.set(nameOf(key), { token, madeAt: now.getTime() });
    token.catch(() => tokens.delete(nameOf(key)));
    return token;
  }

  /** A connection belongs to one key and one bundle: APNs binds it to those of its first message. */
  function sessionFor(origin: string, key: ApnsKey): ClientHttp2Session {
    const name = `${origin} ${nameOf(key)} ${key.bundleId}`;
    const open = sessions.get(name);
    if (open && !open.closed && !open.destroyed) return open;
    const session = connect(origin);
    const forget = () => {
      if (sessions.get(name) === session) sessions.delete(name);
    };
    session.once('close', forget).once('goaway', forget);
    // What a broken connection means each of its requests is told for itself.
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
    async send(key, message) {
      const token = await providerToken(key);
      const answer = await sendWith(token, key, message);
      if (answer.reason !== 'ExpiredProviderToken') return answer;
      // The service's clock and Apple's may not agree: once more, with a new token, unless another message has made it.
      const known = tokens.get(nameOf(key));
      if (known && (await known.token) === token) tokens.delete(nameOf(key));
      return sendWith(await providerToken(key), key, message);
    },
    async close() {
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
    const request = session.request(
      { ':method': 'POST', ':path': `/3/device/${token}`, 'content-type': 'application/json', ...headers },
      { signal: AbortSignal.timeout(timeoutMilliseconds) },
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
    request.on('error', reject);
    request.on('close', () => reject(new Error('APNs closed the stream without an answer')));
    request.end(body);
  });
}

function refusalIn(text: string): Pick<ApnsAnswer, 'reason' | 'timestamp'> {
  try {
    const { reason, timestamp } = JSON.parse(text);
    return {
      reason: typeof reason === 'string' ? reason : null,
      timestamp: typeof timestamp === 'number' ? timestamp : null,
    };
  } catch {
    return { reason: null, timestamp: null };
  }
}

function nameOf(key: ApnsKey): string {
  return sha256(`${key.teamId} ${key.keyId} ${key.privateKey}`).toString('base64url');
}
