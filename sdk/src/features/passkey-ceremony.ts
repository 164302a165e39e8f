// The part of a passkey that the platform does: the browser's `navigator.credentials`, or the functions of a native module. Both
// take and return the JSON of WebAuthn. It is converted here for every browser: those without `parseRequestOptionsFromJSON` need
// it, and password managers return credentials whose `toJSON` throws.
import type { AcceptedPasskeys, PasskeyAssertion, PasskeyRegistration } from '../generated/models.js';
import type { CreationOptions, NativePasskeys, RequestOptions } from './passkey-types.js';

/** How a ceremony is run; native modules know none of it. */
export interface How {
  /** Aborts the ceremony. */
  signal?: AbortSignal | undefined;
  /** `conditional`: without a dialog. */
  mediation?: 'conditional' | undefined;
}

/** Without a dialog: in the suggestions of a field, or after a sign-in with a password. */
export type Feature = 'conditionalGet' | 'conditionalCreate';

export interface Ceremony {
  isSupported(feature?: Feature | false): Promise<boolean>;
  create(creation: CreationOptions, how: How): Promise<PasskeyRegistration | null>;
  get(request: RequestOptions, how: How): Promise<PasskeyAssertion | null>;
  /** Tells password managers that the service does not know a passkey. */
  signalUnknown(rpId: string, credentialId: string): void;
  /** Tells password managers which passkeys remain. */
  signalAccepted(accepted: AcceptedPasskeys): void;
}

export function nativeCeremony(native: NativePasskeys): Ceremony {
  return {
    isSupported: async (feature) => !feature && (native.isSupported?.() ?? true),
    create: (creation) => native.create(creation) as Promise<PasskeyRegistration | null>,
    get: (request) => native.get(request) as Promise<PasskeyAssertion | null>,
    signalUnknown() {},
    signalAccepted() {},
  };
}

/** What TypeScript's DOM types lack. */
type Capable = Partial<{
  getClientCapabilities(): Promise<Record<string, boolean | undefined>>;
  isConditionalMediationAvailable(): Promise<boolean>;
  signalUnknownCredential(unknown: { rpId: string; credentialId: string }): Promise<void>;
  signalAllAcceptedCredentials(accepted: {
    rpId: string;
    userId: string;
    allAcceptedCredentialIds: string[];
  }): Promise<void>;
}>;

const browser = () => globalThis.PublicKeyCredential as unknown as Capable | undefined;

export const browserCeremony: Ceremony = {
  async isSupported(feature) {
    const capable = browser();
    if (!capable || !feature) return capable !== undefined;
    if (feature === 'conditionalGet') return (await capable.isConditionalMediationAvailable?.()) === true;
    return (await capable.getClientCapabilities?.())?.[feature] === true;
  },

  async create(creation, how) {
    const publicKey = {
      ...creation,
      challenge: bytesOf(creation.challenge),
      user: { ...creation.user, id: bytesOf(creation.user.id) },
      excludeCredentials: creation.excludeCredentials.map(withBytes),
    };
    const created = await navigator.credentials.create({ ...how, publicKey } as CredentialCreationOptions);
    return json(created, ({ response }) => {
      const { attestationObject, getTransports } = response as AuthenticatorAttestationResponse;
      return {
        attestationObject: textOf(attestationObject),
        // Missing in old browsers and in some password managers.
        transports: getTransports?.call(response) ?? [],
      };
    });
  },

  async get(request, how) {
    const publicKey = {
      ...request,
      challenge: bytesOf(request.challenge),
      allowCredentials: request.allowCredentials.map(withBytes),
    };
    const chosen = await navigator.credentials.get({ ...how, publicKey } as CredentialRequestOptions);
    return json(chosen, ({ response }) => {
      const { authenticatorData, signature, userHandle } = response as AuthenticatorAssertionResponse;
      return {
        authenticatorData: textOf(authenticatorData),
        signature: textOf(signature),
        userHandle: userHandle && textOf(userHandle),
      };
    });
  },

  signalUnknown(rpId, credentialId) {
    inform(() => browser()?.signalUnknownCredential?.({ rpId, credentialId }));
  },

  signalAccepted({ rp_id: rpId, user_id: userId, credential_ids: allAcceptedCredentialIds }) {
    if (!rpId) return;
    inform(() => browser()?.signalAllAcceptedCredentials?.({ rpId, userId, allAcceptedCredentialIds }));
  },
};

/** A signal is a courtesy to password managers: its failure, such as on a page of another domain, must not fail the call. */
function inform(send: () => Promise<void> | undefined): void {
  try {
    send()?.catch(() => {});
  } catch {}
}

function json<T>(credential: Credential | null, responseOf: (of: PublicKeyCredential) => object): T | null {
  if (!credential) return null;
  const own = credential as PublicKeyCredential;
  const { id, type, response } = own;
  const clientDataJSON = textOf(response.clientDataJSON);
  return { id, rawId: id, type, response: { clientDataJSON, ...responseOf(own) } } as T;
}

const withBytes = <D extends { id: string }>(descriptor: D) => ({
  ...descriptor,
  id: bytesOf(descriptor.id),
});

function bytesOf(text: string): Uint8Array {
  const binary = atob(text.replace(/-/g, '+').replace(/_/g, '/'));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

function textOf(bytes: ArrayBuffer): string {
  const binary = Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join('');
  return btoa(binary).replace(/\+/g, '-').replace(/\//g, '_').replace(/=/g, '');
}
