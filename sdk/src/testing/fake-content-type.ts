// The content type of a file of the fake service: by its first bytes, as in the real one; the declared type counts only among
// texts that no browser executes.

/** The bytes at the beginning, or at this position, of the types that apps mostly upload. */
const signatures: [type: string, bytes: string, at?: number][] = [
  ['image/png', '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', '\xff\xd8\xff'],
  ['image/gif', 'GIF8'],
  ['image/webp', 'WEBP', 8],
  ['application/pdf', '%PDF-'],
  ['application/zip', 'PK\x03\x04'],
];

const harmlessTexts = [
  'text/plain',
  'text/csv',
  'text/tab-separated-values',
  'text/markdown',
  'text/calendar',
  'text/vcard',
  'application/json',
  'application/geo+json',
];

/** `bytes` has one character for each. */
export function contentTypeOf(bytes: string, declared: string): string {
  const signed = signatures.find(([, start, at]) => bytes.startsWith(start, at));
  if (signed) return signed[0];
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a control character is what tells bytes from a text.
  if (bytes === '' || /[\x00-\x08\x0e-\x1a\x1c-\x1f]/.test(bytes) || !isUtf8(bytes)) {
    return 'application/octet-stream';
  }
  if (/^\s*(<\?xml[^>]*>\s*)?<svg[\s>/]/i.test(bytes)) return 'image/svg+xml';
  if (/^\s*<(!doctype html|html|head|body|script)[\s>]/i.test(bytes)) return 'text/html';
  const [type = ''] = declared.split(';');
  return harmlessTexts.includes(type.trim()) ? type.trim() : 'text/plain';
}

function isUtf8(bytes: string): boolean {
  try {
    decodeURIComponent(escape(bytes));
    return true;
  } catch {
    return false;
  }
}
