// The magic link of a sign-in mail, `<deep link>?mode=sign_in&email=…&code=…`. It is taken apart by hand: React Native has
// no `URL.searchParams`, and elsewhere those turn the `+` of an email into a space.

export interface SignInLink {
  email: string;
  code: string;
}

export function parseLink(url: string | null | undefined): SignInLink | null {
  const query = `&${/^[^?#]*\?([^#]*)/.exec(url ?? '')?.[1]}`;
  // The deep link may hold such names itself; the service adds its own at the end.
  const lastOf = (name: string) =>
    decodeURIComponent(new RegExp(`.*&${name}=([^&]*)`).exec(query)?.[1] ?? '');
  try {
    const email = lastOf('email');
    const code = lastOf('code');
    return lastOf('mode') === 'sign_in' && email && /^\d{6}$/.test(code) ? { email, code } : null;
  } catch {
    return null; // Not percent-encoded as the service does it.
  }
}
