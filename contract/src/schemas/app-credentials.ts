// The identifiers and keys of an app at its identity providers and push providers.
import * as z from 'zod';
import { listUpTo, textUpTo } from '../answer-values.js';
import { list, maxLength, minLength, text } from '../input-values.js';
import { clientIdsPerPlatform, maxClientIdCharacters, maxUrlCharacters } from '../limits.js';
import { isUrl } from '../url.js';

/**
 * Identifiers are pasted from consoles and mails: white space and invisible characters around one are dropped. Inside, they
 * would make it differ from the identifier in every token, and the difference would be invisible.
 */
export const Identifier = text({
  max: 6 * maxClientIdCharacters,
  error: `must have at most ${maxClientIdCharacters} characters`,
})
  .overwrite((id) => id.replace(/^[\s\p{Cc}\p{Cf}]+|[\s\p{Cc}\p{Cf}]+$/gu, ''))
  .check(minLength(1), maxLength(maxClientIdCharacters))
  .refine((id) => !/[\s,;"'`]/.test(id), 'must be one identifier, without spaces, commas and quotation marks')
  .refine((id) => !/[^\s\x21-\x7e]/u.test(id), {
    error: ({ input }) => `must not contain ${nameOfForeign(String(input))}, which is invisible or not ASCII`,
  });

function nameOfForeign(id: string): string {
  const [character = ''] = /[^\s\x21-\x7e]/u.exec(id) ?? [];
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Documented as a list only; one string, and null for none, are accepted in its place, as in earlier versions. */
const ClientIds = z.preprocess(
  (ids) => (ids === null ? [] : typeof ids === 'string' ? [ids] : ids),
  list(Identifier, { max: clientIdsPerPlatform }).overwrite((ids) => [...new Set(ids)]),
) as unknown as z.ZodType<string[], string[]>;

function clientIds(description: string, example: string[]) {
  return { description: `${description} At most ${clientIdsPerPlatform}.`, example };
}

const providerAIds = {
  web: clientIds(
    'The client ids on the web, which Android apps name as their server client id. The first one signs in by redirect.',
    ['web.apps.example.com'],
  ),
  ios: clientIds('The client ids of the iOS apps.', []),
  android: clientIds('The client ids of the Android apps.', []),
};

const providerBIds = {
  services_ids: clientIds(
    'The client ids on the web (Services IDs). The first one signs in by redirect.',
    [],
  ),
  bundle_ids: clientIds('The client ids of the apps (bundle ids).', ['com.example.app']),
};

const ClientIdsAnswer = listUpTo(clientIdsPerPlatform, textUpTo(maxClientIdCharacters));

export const providerA = {
  web: ClientIdsAnswer.meta(providerAIds.web),
  ios: ClientIdsAnswer.meta(providerAIds.ios),
  android: ClientIdsAnswer.meta(providerAIds.android),
};

export const providerAPatch = {
  web: ClientIds.meta(providerAIds.web),
  ios: ClientIds.meta(providerAIds.ios),
  android: ClientIds.meta(providerAIds.android),
};

const keyOfProviderB = {
  team_id: { description: 'The team at the provider.', example: null },
  key_id: { description: 'The id of the private key.', example: null },
};

const IdentifierAnswer = textUpTo(maxClientIdCharacters).nullable();

export const providerB = {
  services_ids: ClientIdsAnswer.meta(providerBIds.services_ids),
  bundle_ids: ClientIdsAnswer.meta(providerBIds.bundle_ids),
  team_id: IdentifierAnswer.meta(keyOfProviderB.team_id),
  key_id: IdentifierAnswer.meta(keyOfProviderB.key_id),
};

export const providerBPatch = {
  services_ids: ClientIds.meta(providerBIds.services_ids),
  bundle_ids: ClientIds.meta(providerBIds.bundle_ids),
  services_id: ClientIds.meta({ description: 'The former name of `services_ids`.', deprecated: true }),
  bundle_id: ClientIds.meta({ description: 'The former name of `bundle_ids`.', deprecated: true }),
  team_id: Identifier.nullable().meta(keyOfProviderB.team_id),
  key_id: Identifier.nullable().meta(keyOfProviderB.key_id),
};

/** The key as it is pasted: the server reads it and refuses what cannot work, since a browser cannot read every form. */
export const PrivateKey = text({ min: 1, max: 16_384 });

/** What identifies the app to APNs with each message. */
export const apns = {
  key_id: Identifier.nullable().meta({ description: 'The id of the key for APNs.', example: null }),
  team_id: Identifier.nullable().meta({ description: "The developer team's id.", example: null }),
  bundle_id: Identifier.nullable().meta({
    description: "The app's bundle id, the topic at APNs.",
    example: null,
  }),
};

export const webPush = {
  subject: text({ max: maxUrlCharacters })
    .refine(isContact, 'must be a mailto: or https: URL with a public domain')
    .nullable()
    .meta({
      description:
        'A contact for push services. Setting it enables Web Push: a key pair is generated and stored.',
      example: 'mailto:push@example.com',
    }),
};

/** Apple's push service refuses every message with a contact that nobody can reach, such as one at localhost. */
function isContact(value: string): boolean {
  const [, mailHost, webHost] = /^(?:mailto:[^\s@]+@([^\s@]+)|https:\/\/([^\s@/:?#]+).*)$/.exec(value) ?? [];
  const host = mailHost ?? webHost ?? '';
  return isUrl(value) && /[^.]\.[^.]/.test(host) && !/\.(?:localhost|local)\.?$/i.test(host);
}

/** The text of the file; its content as an object is accepted in its place. */
export const ServiceAccount = z.preprocess(
  (account) => (typeof account === 'object' && account !== null ? JSON.stringify(account) : account),
  text({ min: 1, max: 32_768 }),
) as unknown as z.ZodType<string, string>;
