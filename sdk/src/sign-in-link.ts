// Parses the magic link of a sign-in email, `<deep link>?mode=sign_in&email=…&code=…`. React Native has no
// `URL.searchParams`, and elsewhere it decodes the `+` of an email as a space.

export interface SignInLink {
  /** The email that the link was sent to. */
  email: string;
  /** The emailed code. */
  code: string;
}

export function parseLink(url: string | null | undefined): SignInLink | null {
  const query = `&${/^[^?#]*\?([^#]*)/.exec(url ?? '')?.[1]}`;
  // The deep link may contain the same names; the service appends its own.
  const lastOf = (name: string) =>
    decodeURIComponent(new RegExp(`.*&${name}=([^&]*)`).exec(query)?.[1] ?? '');
  try {
    const email = lastOf('email');
    const code = lastOf('code');
    return lastOf('mode') === 'sign_in' && email && /^\d{6}$/.test(code) ? { email, code } : null;
  } catch {
    return null; // Invalid percent-encoding.
  }
}
