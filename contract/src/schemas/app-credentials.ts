// The identifiers and keys of an app at its identity providers and push providers.

import { text } from '../input-values.js';
import { maxUrlCharacters } from '../limits.js';
import { isUrl } from '../url.js';

const ClientId = text({ min: 1, max: 255 });

export const providerA = {
  web: ClientId.nullable().meta({
    description: 'The client id on the web.',
    example: 'web.apps.example.com',
  }),
  ios: ClientId.nullable().meta({ description: 'The client id of the iOS app.', example: null }),
  android: ClientId.nullable().meta({ description: 'The client id of the Android app.', example: null }),
};

export const providerB = {
  services_id: ClientId.nullable().meta({ description: 'The client id on the web.', example: null }),
  bundle_id: ClientId.nullable().meta({ description: 'The client id of the app.', example: null }),
  team_id: ClientId.nullable().meta({ description: 'The team at the provider.', example: null }),
  key_id: ClientId.nullable().meta({ description: 'The id of the private key.', example: null }),
};

export const PrivateKey = text({ max: 8_192 }).regex(
  /^-----BEGIN PRIVATE KEY-----[A-Za-z0-9+/=\s]+-----END PRIVATE KEY-----\s*$/,
  'must be a PKCS #8 key in PEM',
);

/** What identifies the app to APNs with each message. */
export const apns = {
  key_id: ClientId.nullable().meta({ description: 'The id of the key for APNs.', example: null }),
  team_id: ClientId.nullable().meta({ description: "The developer team's id.", example: null }),
  bundle_id: ClientId.nullable().meta({
    description: "The app's bundle id, the topic at APNs.",
    example: null,
  }),
};

export const webPush = {
  subject: text({ max: maxUrlCharacters })
    .refine(isContact, 'must be a mailto: or https: URL')
    .nullable()
    .meta({
      description:
        'A contact for push services. Setting it enables Web Push: a key pair is generated and stored.',
      example: 'mailto:push@example.com',
    }),
};

function isContact(value: string): boolean {
  return /^(mailto:[^\s@]+@[^\s@]+|https:\/\/[^\s/]+.*)$/.test(value) && isUrl(value);
}

export const ServiceAccount = text({ max: 16_384 }).refine(
  isServiceAccount,
  'must be the JSON of a service account key',
);

function isServiceAccount(value: string): boolean {
  try {
    const { project_id, client_email, private_key } = JSON.parse(value);
    return (
      /^[a-z0-9][a-z0-9.:-]{0,99}$/.test(project_id) &&
      typeof client_email === 'string' &&
      PrivateKey.safeParse(private_key).success
    );
  } catch {
    return false;
  }
}
