// Base64url (RFC 4648, section 5) of UTF-8 text, and back, with what browsers, Node and React Native all have.

export function toBase64url(text: string): string {
  const bytes = unescape(encodeURIComponent(text));
  return btoa(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

export function fromBase64url(encoded: string): string {
  const bytes = atob(encoded.replaceAll('-', '+').replaceAll('_', '/'));
  return decodeURIComponent(escape(bytes));
}
