// FCM, APNs and a Web Push service on this machine: each uses its own protocol, authenticates the caller, and answers
// as the test sets. Tokens use the service's clock.
import { createECDH, createPublicKey, type ECDH, generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { constants, createServer as createHttp2Server, type ServerHttp2Session } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import ece from 'http_ece';
import { decodeProtectedHeader, importJWK, jwtVerify } from 'jose';
import { expect } from 'vitest';
import type { PushAddresses } from '../engines/push-senders/push-senders.js';
import { rsaKeyPair } from './key-pairs.js';
import { localServer } from './local-server.js';

export type Said = { status: number; body?: unknown; headers?: Record<string, string> };
/** Null breaks the connection; a function runs before the answer. */
type Planned = Said | null | (() => Promise<Said>);
/** What one provider received for a token, in order. */
// biome-ignore lint/suspicious/noExplicitAny: tests reach into messages of every shape.
export type Received = { token: string; headers: IncomingHttpHeaders; message: any };

export type Provider = {
  received: Received[];
  /** The next answers for a token, in order; the last one repeats. */
  says(token: string, ...answers: Planned[]): void;
  count(token: string): number;
};

export type PushProviders = {
  fcm: Provider & {
    serviceAccount: string;
    tokensGiven: number;
    forgetTokens(): void;
    refuseAccount: Said | null;
  };
  apns: Provider & {
    privateKey: string;
    /** A second key of the same team. */
    otherKey: { key_id: string; private_key: string };
    connections(): number;
    refuseToken: Said | null;
  };
  web: Provider & { subscription(): { token: string; keys: { p256dh: string; auth: string } } };
  addresses: PushAddresses;
  stop(): Promise<void>;
};

export const apnsSettings = { key_id: 'KEY1234567', team_id: 'TEAM123456', bundle_id: 'com.example.app' };
const otherKeyId = 'KEY7654321';
const clientEmail = 'push@project-1.iam.gserviceaccount.com';

const pem = (key: KeyObject) => key.export({ format: 'pem', type: 'pkcs8' }).toString();

export async function pushProviders(now: () => Date): Promise<PushProviders> {
  const account = rsaKeyPair('service account');
  const newApnsKey = () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  const apnsKeys = new Map([apnsSettings.key_id, otherKeyId].map((id) => [id, newApnsKey()]));
  const boundTo = new WeakMap<object, string>();
  const [fcm, apns, web] = [provider(), provider(), provider()];
  const given = new Set<string>();
  const subscriptions = new Map<string, { ecdh: ECDH; auth: Buffer }>();

  const { origin, stop } = await localServer(async (req, res) => {
    const body = await buffer(req);
    const path = req.url ?? '';
    const said =
      path === '/token'
        ? await giveToken(body)
        : path.startsWith('/v1/')
          ? await fcmSays(req, body)
          : await webSays(req, body);
    if (said === null) return req.socket.destroy();
    res.writeHead(said.status, { 'content-type': 'application/json', ...said.headers });
    res.end(said.body === undefined ? '' : JSON.stringify(said.body));
  });
  const http2 = createHttp2Server();
  const sessions = new Set<ServerHttp2Session>();
  http2.on('session', (session) => {
    sessions.add(session);
    session.on('error', () => {});
    session.on('close', () => sessions.delete(session));
  });
  http2.on('stream', async (stream, headers) => {
    stream.on('error', () => {});
    const parts: Buffer[] = [];
    for await (const part of stream) parts.push(part);
    const said = await apnsSays(headers as IncomingHttpHeaders, Buffer.concat(parts), stream.session);
    if (said === null) return stream.close(constants.NGHTTP2_INTERNAL_ERROR);
    stream.respond({ ':status': said.status, 'apns-id': `id-${apns.received.length}`, ...said.headers });
    stream.end(said.body === undefined ? '' : JSON.stringify(said.body));
  });
  await new Promise<void>((resolve) => http2.listen(0, '127.0.0.1', resolve));
  const apnsOrigin = `http://127.0.0.1:${(http2.address() as AddressInfo).port}`;

  async function giveToken(body: Buffer): Promise<Said> {
    if (providers.fcm.refuseAccount) return providers.fcm.refuseAccount;
    const form = new URLSearchParams(body.toString());
    expect(form.get('grant_type')).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer');
    const { payload } = await jwtVerify(form.get('assertion') ?? '', account.publicKey, {
      issuer: clientEmail,
      audience: `${origin}/token`,
      currentDate: now(),
    });
    // The most that Google accepts.
    expect(Number(payload.exp) - Number(payload.iat)).toBe(3_600);
    expect(payload.scope).toBe('https://www.googleapis.com/auth/firebase.messaging');
    const token = `ya29.${given.size}.${providers.fcm.tokensGiven}`;
    given.add(token);
    providers.fcm.tokensGiven += 1;
    return { status: 200, body: { access_token: token, expires_in: 3_599, token_type: 'Bearer' } };
  }

  async function fcmSays(req: IncomingMessage, body: Buffer): Promise<Said | null> {
    expect(req.url).toBe('/v1/projects/project-1/messages:send');
    expect(req.headers['content-type']).toBe('application/json');
    const { message } = JSON.parse(body.toString());
    if (!given.has(req.headers.authorization?.replace('Bearer ', '') ?? ''))
      return fcmRefusal(401, 'UNAUTHENTICATED');
    const name = `projects/project-1/messages/${fcm.received.length}`;
    return fcm.take({ token: message.token, headers: req.headers, message }, { status: 200, body: { name } });
  }

  async function webSays(req: IncomingMessage, body: Buffer): Promise<Said | null> {
    const token = `${origin}${req.url}`;
    const subscription = subscriptions.get(token);
    if (!subscription) return { status: 404 };
    const [, jwt = '', key = ''] = /^vapid t=([^,]+), k=(\S+)$/.exec(req.headers.authorization ?? '') ?? [];
    const point = Buffer.from(key, 'base64url');
    const jwk = {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    };
    const verified = await jwtVerify(jwt, await importJWK(jwk, 'ES256'), {
      audience: origin,
      currentDate: now(),
    });
    expect(verified.payload.sub).toMatch(/^(mailto|https):/);
    // Half of what RFC 8292 allows.
    expect((verified.payload.exp ?? 0) - now().getTime() / 1_000).toBeLessThanOrEqual(43_200);
    expect([point[0], point.length]).toEqual([4, 65]);
    expect(req.headers['content-encoding']).toBe('aes128gcm');
    expect(req.headers['content-type']).toBe('application/octet-stream');
    expect(Number(req.headers.ttl)).toBeGreaterThanOrEqual(0);
    const plain = ece.decrypt(body, {
      version: 'aes128gcm',
      privateKey: subscription.ecdh,
      authSecret: subscription.auth,
    });
    const message = JSON.parse(plain.toString());
    return web.take(
      { token, headers: { ...req.headers, key }, message },
      { status: 201, headers: { location: `${origin}/receipt/${web.received.length}` } },
    );
  }

  async function apnsSays(
    headers: IncomingHttpHeaders,
    body: Buffer,
    session: object | undefined,
  ): Promise<Said | null> {
    if (providers.apns.refuseToken) return providers.apns.refuseToken;
    const jwt = headers.authorization?.replace('bearer ', '') ?? '';
    const { kid = '' } = decodeProtectedHeader(jwt);
    const key = apnsKeys.get(kid);
    if (!key || !session) return { status: 403, body: { reason: 'InvalidProviderToken' } };
    const { payload, protectedHeader } = await jwtVerify(jwt, createPublicKey(key), {
      issuer: apnsSettings.team_id,
      maxTokenAge: 3_600,
      currentDate: now(),
    });
    expect(protectedHeader).toEqual({ alg: 'ES256', kid });
    if (!boundTo.has(session)) boundTo.set(session, kid);
    if (boundTo.get(session) !== kid) return { status: 403, body: { reason: 'UnrelatedKeyIdInToken' } };
    expect(payload.iat).toBeDefined();
    expect(headers['apns-topic']).toBe(apnsSettings.bundle_id);
    expect(body.length).toBeLessThanOrEqual(4_096);
    const token = /^\/3\/device\/([0-9a-f]+)$/.exec(String(headers[':path']))?.[1] ?? '';
    return apns.take({ token, headers, message: JSON.parse(body.toString()) }, { status: 200 });
  }

  const serviceAccount = JSON.stringify({
    type: 'service_account',
    project_id: 'project-1',
    private_key: pem(account.privateKey),
    client_email: clientEmail,
    // Never followed: otherwise the author of a service account could choose which URL the service calls.
    token_uri: 'http://127.0.0.1:1/stolen',
  });

  const providers: PushProviders = {
    fcm: Object.assign(fcm, {
      serviceAccount,
      tokensGiven: 0,
      forgetTokens: () => given.clear(),
      refuseAccount: null,
    }),
    apns: Object.assign(apns, {
      privateKey: pem(apnsKeys.get(apnsSettings.key_id) as KeyObject),
      otherKey: { key_id: otherKeyId, private_key: pem(apnsKeys.get(otherKeyId) as KeyObject) },
      connections: () => sessions.size,
      refuseToken: null,
    }),
    web: Object.assign(web, {
      subscription() {
        const ecdh = createECDH('prime256v1');
        const auth = Buffer.alloc(16, subscriptions.size + 1);
        const token = `${origin}/subscription/${subscriptions.size}`;
        const p256dh = ecdh.generateKeys('base64url');
        subscriptions.set(token, { ecdh, auth });
        return { token, keys: { p256dh, auth: auth.toString('base64url') } };
      },
    }),
    addresses: {
      fcmUrl: origin,
      fcmTokenUrl: `${origin}/token`,
      apnsUrl: apnsOrigin,
      apnsSandboxUrl: apnsOrigin.replace('127.0.0.1', 'localhost'),
    },
    async stop() {
      for (const session of sessions) session.destroy();
      await Promise.all([stop(), new Promise((resolve) => http2.close(resolve))]);
    },
  };
  return providers;
}

/** An error of FCM: its status, and the name in its details. */
export function fcmRefusal(status: number, code: string, errorCode?: string, field?: string): Said {
  const details = [
    ...(errorCode ? [{ '@type': 'type.googleapis.com/google.firebase.fcm.v1.FcmError', errorCode }] : []),
    ...(field
      ? [
          {
            '@type': 'type.googleapis.com/google.rpc.BadRequest',
            fieldViolations: [{ field, description: 'bad' }],
          },
        ]
      : []),
  ];
  return { status, body: { error: { code: status, message: 'refused', status: code, details } } };
}

function provider(): Provider & { take(received: Received, usual: Said): Promise<Said | null> } {
  const answers = new Map<string, Planned[]>();
  const received: Received[] = [];
  return {
    received,
    says: (token, ...said) => void answers.set(token, said),
    count: (token) => received.filter((one) => one.token === token).length,
    async take(one, usual) {
      received.push(one);
      const planned = answers.get(one.token);
      if (!planned) return usual;
      const next = (planned.length > 1 ? planned.shift() : planned[0]) as Planned;
      return typeof next === 'function' ? next() : next;
    },
  };
}
