// A minimal OpenID provider for the examples' test: its only user is Ada, and it requires no interaction.
import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const header = { alg: 'RS256', kid: 'first', typ: 'JWT' };

export async function startOpenIdProvider(): Promise<{ issuer: string; stop(): void }> {
  let issuer = '';
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', issuer);
    if (pathname === '/jwks') {
      const jwk = { ...publicKey.export({ format: 'jwk' }), ...header, use: 'sig' };
      response.setHeader('Content-Type', 'application/json').end(JSON.stringify({ keys: [jwk] }));
      return;
    }
    const token = idToken(issuer, searchParams.get('client_id'), searchParams.get('nonce'));
    const location = `${searchParams.get('redirect_uri')}#id_token=${token}`;
    response.writeHead(pathname === '/authorize' ? 302 : 404, { Location: location }).end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    issuer,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function idToken(issuer: string, clientId: string | null, nonce: string | null): string {
  const now = Math.floor(Date.now() / 1_000);
  const person = { sub: 'ada', email: 'ada@provider.example', email_verified: true };
  const claims = {
    iss: issuer,
    aud: clientId,
    nonce,
    iat: now,
    exp: now + 600,
    jti: randomUUID(),
    ...person,
  };
  const signed = [header, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${signed}.${sign('sha256', Buffer.from(signed), privateKey).toString('base64url')}`;
}
