// The magic link of a sign-in mail (specification "Emailed code"). It always points to the app's stored deep link.

export function magicLink(deepLink: string, email: string, code: string): string {
  const joint = !deepLink.includes('?') ? '?' : /[?&]$/.test(deepLink) ? '' : '&';
  return `${deepLink}${joint}mode=sign_in&email=${encodeURIComponent(email)}&code=${encodeURIComponent(code)}`;
}
