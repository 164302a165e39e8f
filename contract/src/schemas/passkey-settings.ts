// The setting `passkeys`: the relying party of the app, and the origins on whose pages its passkeys are used.
import * as z from 'zod';
import { listUpTo, textUpTo } from '../answer-values.js';
import { list, text } from '../input-values.js';
import { passkeyOrigins } from '../limits.js';
import { withoutInvisible } from '../typed-text.js';
import { isUrl } from '../url.js';

const domain = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

const RpId = text({ max: 253 })
  .overwrite((given) => withoutInvisible(given).trim().toLowerCase())
  .refine(
    (given) =>
      domain.test(given) && !/^[0-9.]+$/.test(given) && (given === 'localhost' || given.includes('.')),
    'must be a domain such as example.com, without scheme, port and path; international names in their xn-- form',
  )
  .meta({
    description:
      'The domain to which passkeys are bound: that of the origins, or one above it that somebody can register, so not `com` ' +
      'or `github.io`. After a change of it, the passkeys of users no longer work.',
    example: 'example.com',
  });

const androidOrigin = /^android:apk-key-hash:[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/;

const PasskeyOrigin = text({ max: 300 }).transform((given, context) => {
  const pasted = withoutInvisible(given).trim();
  const origin = androidOrigin.test(pasted) ? pasted : webOriginOf(pasted);
  if (origin !== null) return origin;
  context.addIssue({
    code: 'custom',
    message:
      'must be an https origin such as https://app.example.com (http for localhost only), or android:apk-key-hash: and the ' +
      'SHA-256 of the signing certificate in base64url',
  });
  return z.NEVER;
});

/** As browsers send it; null if it is none, or not secure. */
function webOriginOf(given: string): string | null {
  if (!/^https?:\/\/[^\s/@?#\\*]+\/?$/i.test(given) || !isUrl(given)) return null;
  const { origin, protocol, hostname } = new URL(given);
  return protocol === 'https:' || hostname === 'localhost' ? origin : null;
}

/** True if a page of the origin may use the relying party: its host is that domain, or below it. Android apps always may. */
export function belongsToRp(origin: string, rpId: string): boolean {
  if (origin.startsWith('android:')) return true;
  const { hostname } = new URL(origin);
  return hostname === rpId || hostname.endsWith(`.${rpId}`);
}

const origins = {
  description:
    'The origins of the pages that use passkeys: https (http for localhost), with a host that is `rp_id` or below it. For ' +
    'an Android app `android:apk-key-hash:` and the SHA-256 of its signing certificate in base64url.',
  example: ['https://app.example.com'],
};

const shape = {
  rp_id: RpId,
  rp_name: text({ min: 1, max: 64 })
    .refine((name) => !/[\p{Cc}<>"]/u.test(name), 'must be plain text')
    .meta({ description: 'The name that authenticators show for the app.', example: 'Example' }),
  origins: list(PasskeyOrigin, { min: 1, max: passkeyOrigins }).meta(origins),
};

const about = {
  description:
    'Sign-in with passkeys: the relying party and the origins of its pages. Null switches passkeys off; they are stored, and ' +
    'work again when the same `rp_id` is set. Set as a whole.',
  example: { rp_id: 'example.com', rp_name: 'Example', origins: ['https://app.example.com'] },
};

export const PasskeySettings = z
  .object({ ...shape, origins: listUpTo(passkeyOrigins, textUpTo(300)).meta(origins) })
  .nullable()
  .meta(about);
export type PasskeySettings = z.infer<typeof PasskeySettings>;

export const PasskeySettingsInput = z
  .strictObject(shape)
  .superRefine(({ rp_id, origins }, context) => {
    for (const [place, origin] of origins.entries()) {
      if (belongsToRp(origin, rp_id)) continue;
      const message = `must have a host that is ${rp_id}, the rp_id, or below it`;
      context.addIssue({ code: 'custom', path: ['origins', place], message });
    }
  })
  .nullable()
  .meta(about);
