// The steps that scenarios of passkeys share: an app with a relying party, authenticators that nobody here wrote, and
// signatures over what a client may have changed.
import { createHash, createPrivateKey, sign } from 'node:crypto';
import { createRequire } from 'node:module';
import type {
  AcceptedPasskeys,
  Passkey,
  PasskeyAssertion,
  PasskeyCreationOptions,
  PasskeyRegistration,
  PasskeySignInOptions,
  TokenAnswer,
} from '@foyer/contract';
import { expect } from 'vitest';
import type { NewApp } from '../src/apps/create-app.js';
import type { CallOptions, TestService } from './harness.js';

// The package is CommonJS whose types claim a default export.
const emulation = createRequire(import.meta.url)(
  'nid-webauthn-emulator',
) as typeof import('nid-webauthn-emulator');
const { AuthenticatorEmulator, PasskeysCredentialsMemoryRepository, WebAuthnEmulator } = emulation;

export const passkeys = {
  rp_id: 'example.com',
  rp_name: 'Example',
  origins: ['https://app.example.com', 'https://example.com'],
};
export const origin = 'https://app.example.com';

export type Authenticator = ReturnType<typeof newAuthenticator>;
type AuthenticatorOptions = ConstructorParameters<typeof AuthenticatorEmulator>[0];

/** A device with passkeys of its own; it verifies the user unless told otherwise. */
export function newAuthenticator(options: AuthenticatorOptions = {}) {
  const keys = new PasskeysCredentialsMemoryRepository();
  const device = new WebAuthnEmulator(new AuthenticatorEmulator({ credentialsRepository: keys, ...options }));
  return {
    create: (given: PasskeyCreationOptions, at = origin) =>
      device.createJSON(at, given.public_key as never) as PasskeyRegistration,
    get: (given: PasskeySignInOptions, at = origin) =>
      device.getJSON(at, given.public_key as never) as PasskeyAssertion,
    /** The private key of a passkey, to sign what no authenticator would. */
    privateKeyOf(id: string) {
      const found = keys
        .loadCredentials()
        .find(({ publicKeyCredentialSource: key }) => Buffer.from(key.id).toString('base64url') === id);
      const key = Buffer.from(found?.publicKeyCredentialSource.privateKey ?? []);
      return createPrivateKey({ key, format: 'der', type: 'pkcs8' });
    },
  };
}

export const flag = { userPresent: 1, userVerified: 4, backupEligible: 8, backedUp: 16 } as const;

/** What a client or an authenticator claims in place of the truth. */
export type Claims = {
  clientData?: Record<string, unknown>;
  rpId?: string;
  flags?: number;
  counter?: number;
};

/** The assertion with other claims, signed with the passkey's own key. */
export function forged(
  device: Authenticator,
  assertion: PasskeyAssertion,
  { clientData, rpId, flags, counter }: Claims,
): PasskeyAssertion {
  const { response } = assertion;
  const claimed = {
    ...JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString()),
    ...clientData,
  };
  const client = Buffer.from(JSON.stringify(claimed));
  const data = Buffer.from(response.authenticatorData, 'base64url');
  if (rpId !== undefined) sha256(rpId).copy(data);
  if (flags !== undefined) data[32] = flags;
  if (counter !== undefined) data.writeUInt32BE(counter, 33);
  const signature = sign('sha256', Buffer.concat([data, sha256(client)]), device.privateKeyOf(assertion.id));
  const [clientDataJSON, authenticatorData] = [client, data].map((bytes) => bytes.toString('base64url'));
  return {
    ...assertion,
    response: { ...response, clientDataJSON, authenticatorData, signature: signature.toString('base64url') },
  } as PasskeyAssertion;
}

/** The registration with other claims; its attestation is `none`, so nothing is signed. */
export function forgedRegistration(
  { response, ...rest }: PasskeyRegistration,
  { clientData, flags, rpId }: Claims,
): PasskeyRegistration {
  const claimed = {
    ...JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString()),
    ...clientData,
  };
  const attestation = Buffer.from(response.attestationObject, 'base64url');
  const dataAt = attestation.indexOf(sha256(passkeys.rp_id));
  if (rpId !== undefined) sha256(rpId).copy(attestation, dataAt);
  // The flag for the public key itself, which follows, stays.
  if (flags !== undefined) attestation[dataAt + 32] = flags | 64;
  return {
    ...rest,
    response: {
      ...response,
      clientDataJSON: Buffer.from(JSON.stringify(claimed)).toString('base64url'),
      attestationObject: attestation.toString('base64url'),
    },
  };
}

/** The registration with an RSA key of so many bytes, in COSE (RFC 8230), in place of its own. */
export function withRsaKey(registration: PasskeyRegistration, keyBytes: number): PasskeyRegistration {
  const before = Buffer.from('a401030339010020', 'hex');
  const after = Buffer.from('2143010001', 'hex');
  const modulus = Buffer.alloc(keyBytes - before.length - after.length - 3, 0xd1);
  const key = Buffer.concat([before, byteString(modulus), after]);
  const attestation = Buffer.from(registration.response.attestationObject, 'base64url');
  const dataAt = attestation.indexOf(sha256(passkeys.rp_id));
  const idBytes = attestation.readUInt16BE(dataAt + 53);
  const data = Buffer.concat([attestation.subarray(dataAt, dataAt + 55 + idBytes), key]);
  const beforeData = Buffer.from('a363666d74646e6f6e656761747453746d74a0686175746844617461', 'hex');
  const attestationObject = Buffer.concat([beforeData, byteString(data)]).toString('base64url');
  return { ...registration, response: { ...registration.response, attestationObject } };
}

/** CBOR, with a length of two bytes. */
function byteString(bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0x59, bytes.length >> 8, bytes.length & 255]), bytes]);
}

export function sha256(data: string | Uint8Array): Buffer {
  return createHash('sha256').update(data).digest();
}

/** Calls of a service whose first app has passkeys. */
export function passkeyScenario(service: () => TestService) {
  const call = <Data>(method: string, path: string, options: CallOptions = {}) =>
    service().call<Data>(method, path, options);

  const scenario = {
    enable: (settings: object | null = passkeys, app?: NewApp) =>
      service().changeSettings({ passkeys: settings as typeof passkeys | null }, app),
    options: (given: CallOptions = {}) => call<PasskeySignInOptions>('POST', '/auth/passkey/options', given),
    signIn: (credential: PasskeyAssertion, given: CallOptions = {}) =>
      call<TokenAnswer>('POST', '/auth/passkey/verify', { body: { credential }, ...given }),
    reauthenticate: (token: string, passkey: PasskeyAssertion) =>
      call<TokenAnswer>('POST', '/auth/reauthenticate', { token, body: { passkey } }),
    creationOptions: (token: string, given: CallOptions = {}) =>
      call<PasskeyCreationOptions>('POST', '/me/passkeys/options', { token, ...given }),
    add: (token: string, credential: PasskeyRegistration, name?: string) =>
      call<Passkey>('POST', '/me/passkeys', { token, body: { credential, name } }),
    list: async (token: string) =>
      (await call<{ items: Passkey[] }>('GET', '/me/passkeys', { token })).data.items,
    rename: (token: string, id: string, name: string) =>
      call<Passkey>('PATCH', `/me/passkeys/${id}`, { token, body: { name } }),
    remove: (token: string, id: string) => call<AcceptedPasskeys>('DELETE', `/me/passkeys/${id}`, { token }),

    /** Adds a passkey to a user, on a new device. */
    async register(token: string, given: { device?: Authenticator; claims?: Claims; at?: string } = {}) {
      const { device = newAuthenticator(), claims = {}, at = origin } = given;
      const { data } = await scenario.creationOptions(token);
      const credential = forgedRegistration(device.create(data, at), claims);
      const added = await scenario.add(token, credential);
      expect(added.status, added.text).toBe(201);
      return { device, passkey: added.data, credential };
    },
    /** A signature over a fresh challenge. */
    async assertion(device: Authenticator, given: CallOptions = {}, at?: string) {
      return device.get((await scenario.options(given)).data, at);
    },
    /** A new user with a passkey. */
    async userWithPasskey(options: AuthenticatorOptions = {}, claims: Claims = {}) {
      const user = await service().signUp();
      return {
        user,
        ...(await scenario.register(user.tokens.access_token, { device: newAuthenticator(options), claims })),
      };
    },
  };
  return scenario;
}
