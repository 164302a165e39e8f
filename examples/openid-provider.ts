// A minimal OpenID provider, to try sign-in with a provider without an account at one: its only user is Ada, and it
// requires no interaction. Run it with a port:  npx tsx examples/openid-provider.ts 4000
import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const header = { alg: 'RS256', kid: 'first', typ: 'JWT' };

/** Port 0: any free one. */
export async function startOpenIdProvider(port = 0): Promise<{ issuer: string; stop(): void }> {
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
  await once(server.listen(port, '127.0.0.1'), 'listening');
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

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { issuer } = await startOpenIdProvider(Number(process.argv[2] ?? 4_000));
  console.log(`The provider is running. Start the service with:
PROVIDER_A_ISSUER=${issuer} PROVIDER_A_JWKS_URL=${issuer}/jwks npm start`);
}
