// Passkeys: WebAuthn credentials (Level 3), in the JSON forms of the standard, whose keys are in camel case.
import * as z from 'zod';
import { listUpTo, textUpTo } from '../answer-values.js';
import { list, text, trimmedText } from '../input-values.js';
import { maxPasskeyNameCharacters, passkeyChallengeSeconds, passkeysPerUser } from '../limits.js';
import { Timestamp, Ulid } from './values.js';

/** Bytes in base64url without padding, as WebAuthn's JSON has them. */
const bytes = (max: number) =>
  text({ min: 1, max }).regex(/^[A-Za-z0-9_-]+$/, 'must be bytes in base64url without padding');

/** A credential id has at most 1,023 bytes. */
const maxCredentialIdCharacters = 1_364;
const CredentialId = bytes(maxCredentialIdCharacters).meta({
  description: 'The credential, in base64url.',
  example: 'q6bEZ8mXyVY5H0hX1rYbPA',
});

const clientDataJSON = bytes(8_192).meta({
  description: 'What the browser signed: type, challenge and origin.',
  example: 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0',
});

const credential = {
  id: CredentialId,
  rawId: CredentialId.optional(),
  type: z.literal('public-key').meta({ description: 'The only type.', example: 'public-key' }),
};

const maxHandleCharacters = 86;

/** What `PublicKeyCredential.toJSON()` returns for `navigator.credentials.get()`; other keys are ignored. */
export const PasskeyAssertion = z
  .object({
    ...credential,
    response: z.object({
      clientDataJSON,
      authenticatorData: bytes(4_096).meta({
        description: 'The data of the authenticator: relying party, flags and counter.',
        example: 'SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAA',
      }),
      signature: bytes(2_048).meta({ description: 'The signature.', example: 'MEUCIQDx' }),
      userHandle: z
        .union([bytes(maxHandleCharacters), z.literal('')])
        .nullish()
        .meta({ description: 'The `user.id` of the registration.', example: 'Zm95ZXI' }),
    }),
  })
  .meta({
    id: 'PasskeyAssertion',
    description: '`AuthenticationResponseJSON` of WebAuthn, from `PublicKeyCredential.toJSON()`.',
  });
export type PasskeyAssertion = z.infer<typeof PasskeyAssertion>;

/** The transports that the standard names; others are ignored. */
export const passkeyTransports = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const;

/** What `PublicKeyCredential.toJSON()` returns for `navigator.credentials.create()`; other keys are ignored. */
export const PasskeyRegistration = z
  .object({
    ...credential,
    response: z.object({
      clientDataJSON,
      attestationObject: bytes(16_384).meta({
        description: 'The new public key, in CBOR.',
        example: 'o2NmbXRkbm9uZWdhdHRTdG10oA',
      }),
      transports: list(text({ max: 32 }), { max: 16 })
        .nullish()
        .meta({
          description: 'How the authenticator can be reached; unknown ones are ignored.',
          example: ['hybrid', 'internal'],
        }),
    }),
  })
  .meta({
    id: 'PasskeyRegistration',
    description: '`RegistrationResponseJSON` of WebAuthn, from `PublicKeyCredential.toJSON()`.',
  });
export type PasskeyRegistration = z.infer<typeof PasskeyRegistration>;

const PasskeyDescriptor = z
  .object({
    id: textUpTo(maxCredentialIdCharacters).meta({
      description: 'The credential, in base64url.',
      example: 'q6bEZ8mXyVY5H0hX1rYbPA',
    }),
    type: z.literal('public-key').meta({ description: 'The only type.' }),
    transports: listUpTo(passkeyTransports.length, z.enum(passkeyTransports)).meta({
      description: 'How the authenticator can be reached.',
      example: ['hybrid', 'internal'],
    }),
  })
  .meta({ id: 'PasskeyDescriptor', description: 'A credential that the user has.' });

const challenge = textUpTo(200).meta({
  description: 'Opaque; can be used once.',
  example: 'AQFqKy5HXv8o',
});
const timeout = z
  .number()
  .int()
  .min(0)
  .max(passkeyChallengeSeconds * 1_000)
  .meta({ description: 'In milliseconds.', example: passkeyChallengeSeconds * 1_000 });
const rpId = textUpTo(253).meta({
  description: 'The relying party: `passkeys.rp_id` of the app.',
  example: 'example.com',
});
const descriptors = (description: string) =>
  listUpTo(passkeysPerUser, PasskeyDescriptor).meta({ description, example: [] });
const preferred = z.literal('preferred').meta({
  description: 'The authenticator verifies the user if it can.',
  example: 'preferred',
});
const expires_in = z
  .number()
  .int()
  .min(0)
  .max(passkeyChallengeSeconds)
  .meta({ description: 'Seconds until the challenge expires.', example: passkeyChallengeSeconds });

/** The input of `PublicKeyCredential.parseRequestOptionsFromJSON()`. */
export const PasskeySignInOptions = z
  .object({
    public_key: z
      .object({
        challenge,
        timeout,
        rpId,
        allowCredentials: descriptors(
          'Empty, so that the authenticator offers its passkeys; with an access token, those of the user.',
        ),
        userVerification: preferred,
      })
      .meta({
        description:
          '`PublicKeyCredentialRequestOptionsJSON`, for `PublicKeyCredential.parseRequestOptionsFromJSON()`.',
      }),
    expires_in,
  })
  .meta({ id: 'PasskeySignInOptions', description: 'A challenge for `navigator.credentials.get()`.' });
export type PasskeySignInOptions = z.infer<typeof PasskeySignInOptions>;

/** The input of `PublicKeyCredential.parseCreationOptionsFromJSON()`. */
export const PasskeyCreationOptions = z
  .object({
    public_key: z
      .object({
        rp: z.object({
          id: rpId,
          name: textUpTo(64).meta({
            description: '`passkeys.rp_name` of the app.',
            example: 'Example',
          }),
        }),
        user: z.object({
          id: textUpTo(maxHandleCharacters).meta({
            description:
              'The user handle: the same for each passkey of the user, and unrelated to the email.',
            example: 'Zm95ZXI',
          }),
          name: textUpTo(254).meta({
            description: 'The email; the authenticator shows it.',
            example: 'ada@example.com',
          }),
          displayName: textUpTo(254).meta({
            description: 'The name of the user, or the email.',
            example: 'Ada Lovelace',
          }),
        }),
        challenge,
        pubKeyCredParams: listUpTo(
          3,
          z.object({
            type: z.literal('public-key').meta({ description: 'The only type.' }),
            alg: z
              .union([z.literal(-8), z.literal(-7), z.literal(-257)])
              .meta({ description: 'The COSE algorithm: EdDSA, ES256 or RS256.', example: -7 }),
          }),
        ).meta({ description: 'The accepted algorithms.' }),
        timeout,
        excludeCredentials: descriptors('The passkeys that the user has.'),
        authenticatorSelection: z.object({
          residentKey: z.literal('required').meta({ description: 'The passkey can be discovered.' }),
          requireResidentKey: z.literal(true).meta({ description: 'The same, for Level 1 of WebAuthn.' }),
          userVerification: preferred,
        }),
        attestation: z.literal('none').meta({ description: 'Nothing is asked about the authenticator.' }),
      })
      .meta({
        description:
          '`PublicKeyCredentialCreationOptionsJSON`, for `PublicKeyCredential.parseCreationOptionsFromJSON()`.',
      }),
    expires_in,
  })
  .meta({ id: 'PasskeyCreationOptions', description: 'A challenge for `navigator.credentials.create()`.' });
export type PasskeyCreationOptions = z.infer<typeof PasskeyCreationOptions>;

export const PasskeyNameInput = trimmedText({ min: 1, max: maxPasskeyNameCharacters }).meta({
  description: `1 to ${maxPasskeyNameCharacters} characters after trimming.`,
  example: "Ada's phone",
});

export const Passkey = z
  .object({
    id: Ulid.meta({ description: 'The passkey.' }),
    name: textUpTo(maxPasskeyNameCharacters).meta({
      description: 'Chosen by the user, or the name of the provider.',
      example: "Ada's phone",
    }),
    provider_name: textUpTo(100).nullable().meta({
      description:
        'The password manager or device that says it stores the passkey; null if it does not say so or is not known.',
      example: 'iCloud Keychain',
    }),
    backed_up: z.boolean().meta({
      description:
        'Whether the passkey is synchronized or backed up, and so survives the loss of the device.',
      example: true,
    }),
    created_at: Timestamp.meta({ description: 'When the passkey was added.' }),
    last_used_at: Timestamp.nullable().meta({
      description: 'When the user last signed in or reauthenticated with it; null for never.',
    }),
  })
  .meta({ id: 'Passkey', description: 'A passkey of a user.' });
export type Passkey = z.infer<typeof Passkey>;

/** The input of `PublicKeyCredential.signalAllAcceptedCredentials()`, in snake case. */
export const AcceptedPasskeys = z
  .object({
    rp_id: rpId.nullable().meta({
      description: '`passkeys.rp_id` of the app; null if passkeys are off.',
      example: 'example.com',
    }),
    user_id: textUpTo(maxHandleCharacters).meta({ description: 'The user handle.', example: 'Zm95ZXI' }),
    credential_ids: listUpTo(passkeysPerUser, textUpTo(maxCredentialIdCharacters)).meta({
      description: 'The credentials that remain, in base64url.',
      example: ['q6bEZ8mXyVY5H0hX1rYbPA'],
    }),
  })
  .meta({
    id: 'AcceptedPasskeys',
    description:
      'What remains, for `PublicKeyCredential.signalAllAcceptedCredentials()`: it lets the password manager forget the ' +
      'passkey that was removed.',
  });
export type AcceptedPasskeys = z.infer<typeof AcceptedPasskeys>;
