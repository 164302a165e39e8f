// Parses the magic link of a sign-in email, `<deep link>?mode=sign_in&email=…&code=…`. React Native has no
// `URL.searchParams`, and elsewhere it decodes the `+` of an email as a space.

export interface SignInLink {
  /** The email that the link was sent to. */
  email: string;
  /** The emailed code. */
  code: string;
}

export function parseLink(url: string | null | undefined): SignInLink | null {
  const parameters = `${url}`.split('#')[0]!.matchAll(/[?&](mode|email|code)=([^&]*)/g);
  try {
    // The deep link may contain the same names; the service appends its own, and the last ones count.
    const { mode, email, code } = Object.fromEntries(
      [...parameters].map(([, name, value]) => [name, decodeURIComponent(value!)]),
    );
    return mode === 'sign_in' && email && /^\d{6}$/.test(code) ? { email, code } : null;
  } catch {
    return null; // Invalid percent-encoding.
  }
}
