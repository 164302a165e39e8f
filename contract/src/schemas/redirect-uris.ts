// The setting `redirect_uris`: where users may return to from a provider, with a code that signs them in.
import { list, text } from '../input-values.js';
import { maxRedirectUriCharacters, redirectUrisPerApp } from '../limits.js';
import { withoutInvisible } from '../typed-text.js';
import { isForeignScheme, isUrl } from '../url.js';

/** What the service adds, which a page would read in place of its own. */
const ownParameters = ['code', 'error'];

const RedirectUri = text({ max: maxRedirectUriCharacters })
  .overwrite((uri) => withoutInvisible(uri).trim())
  .refine(
    isRedirectUri,
    'must be an https URL or one with the scheme of an app, without a fragment; http is for localhost only',
  )
  .refine(
    (uri) => !uri.includes('*'),
    'must not have a `*`: the URI of a sign-in is compared character by character',
  )
  .refine(hasNoOwnParameter, 'must not have the parameters code and error, which the service adds');

export const RedirectUrisInput = list(RedirectUri, { max: redirectUrisPerApp }).overwrite((uris) => [
  ...new Set(uris),
]);

/** http is for an app that listens on the same machine (RFC 8252, section 7.3), or in a web view there. */
function isRedirectUri(value: string): boolean {
  if (!isUrl(value) || !/^[a-z][a-z0-9+.-]*:[\x21-\x7e]+$/i.test(value) || /[#<>"'\\]/.test(value))
    return false;
  const { protocol, hostname, username, password } = new URL(value);
  if (isForeignScheme(protocol) || username !== '' || password !== '') return false;
  return protocol !== 'http:' || /^(?:(?:.+\.)?localhost|127\.0\.0\.1|\[::1\])$/.test(hostname);
}

function hasNoOwnParameter(value: string): boolean {
  if (!isUrl(value)) return true;
  const { searchParams } = new URL(value);
  return !ownParameters.some((name) => searchParams.has(name));
}
