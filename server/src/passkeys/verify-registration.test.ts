// Registrations that no authenticator makes are refused; the team of the app reads why.
import type { PasskeyRegistration } from '@foyer/contract';
import { expect, test } from 'vitest';
import { testService } from '../../test/harness.js';
import { newAuthenticator, passkeyScenario, passkeys, sha256 } from '../../test/passkey-scenario.js';
import { expectRefusal } from '../../test/refusal.js';
import { shared } from '../../test/shared.js';
import { webAuthn } from './webauthn.js';

const service = shared(async () => {
  const started = await testService();
  await passkeyScenario(() => started).enable();
  return started;
});
const scenario = passkeyScenario(() => service);

type Part = Partial<PasskeyRegistration['response']> & { id?: string };

async function attestation(parts: object): Promise<string> {
  const { helpers } = await webAuthn();
  const entries = Object.entries({ fmt: 'none', attStmt: new Map(), ...parts });
  return Buffer.from(helpers.isoCBOR.encode(new Map(entries) as never)).toString('base64url');
}

/** The authenticator data of a sign-in: relying party, flags and counter, without a passkey. */
const withoutPasskey = new Uint8Array([...sha256(passkeys.rp_id), 5, 0, 0, 0, 0]);

test.each<[what: string, reason: string, part: () => Promise<Part>]>([
  ['client data that is no JSON', 'malformed', async () => ({ clientDataJSON: 'AAAA' })],
  ['an attestation that is no CBOR', 'malformed', async () => ({ attestationObject: '____' })],
  ['no authenticator data', 'malformed', async () => ({ attestationObject: await attestation({}) })],
  [
    'authenticator data that is no bytes',
    'malformed',
    async () => ({ attestationObject: await attestation({ authData: 'text' }) }),
  ],
  [
    'authenticator data that is cut off',
    'malformed',
    async () => ({ attestationObject: await attestation({ authData: withoutPasskey.slice(0, 36) }) }),
  ],
  [
    'no public key',
    'unsupported-algorithm',
    async () => ({ attestationObject: await attestation({ authData: withoutPasskey }) }),
  ],
  ['the id of another passkey', 'malformed', async () => ({ id: 'AAAAAAAAAAAAAAAAAAAAAA' })],
])('a registration with %s is refused', async (_what, reason, partOf) => {
  const { uid, tokens } = await service.signUp();
  const { data } = await scenario.creationOptions(tokens.access_token);
  const { id, rawId, response, ...rest } = newAuthenticator().create(data);
  const { id: otherId = id, ...part } = await partOf();
  const credential = { ...rest, id: otherId, response: { ...response, ...part } };
  expectRefusal(await scenario.add(tokens.access_token, credential), 'auth/invalid-credential');
  const [entry] = await service.auditEntries({ action: 'passkey.add_failed', uid });
  expect(entry?.details).toMatchObject({ passkey: reason });
  expect(await scenario.list(tokens.access_token)).toEqual([]);
});
