// The magic link of a sign-in mail (specification "Emailed code"). It leads to the app's stored deep link and nowhere else.

export function magicLink(deepLink: string, email: string, code: string): string {
  const joint = !deepLink.includes('?') ? '?' : /[?&]$/.test(deepLink) ? '' : '&';
  return `${deepLink}${joint}mode=sign_in&email=${encodeURIComponent(email)}&code=${encodeURIComponent(code)}`;
}
