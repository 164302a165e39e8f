// Forbidden fields of an import: a password or its hash, under any name that other services export, at any depth. It
// would be dropped like any unknown name, and the users could not sign in with the password that the app expects to
// work.

/** One word of a name, or several written as one: `passwordhash`. */
const telling =
  /^((hashed|salted|encrypted)?(passwords?|passwd|pwd|hash|salt|bcrypt|scrypt|argon2(id|i|d)?|pbkdf2|digest|credentials?))+$/;

/** As libraries write a hash: `$2b$10$…`, `$argon2id$…`. */
const hashForm = /^\$(2[abxy]\$|argon2|scrypt|pbkdf2)/;

/** The dotted paths of fields that look like a password. The depth of bodies is limited before. */
export function passwordFieldsOf(user: unknown): string[] {
  return Object.entries(asObject(user)).flatMap(([name, value]) => {
    if (isTelling(name) || isHash(value)) return [name];
    // The names of claims are up to the app, and claims are stored, not dropped.
    const inner = name === 'claims' ? hashesIn(value) : passwordFieldsOf(value);
    return inner.map((path) => `${name}.${path}`);
  });
}

function hashesIn(claims: unknown): string[] {
  return Object.entries(asObject(claims)).flatMap(([name, value]) =>
    isHash(value) ? [name] : hashesIn(value).map((path) => `${name}.${path}`),
  );
}

function isTelling(name: string): boolean {
  return wordsOf(name).some((word) => telling.test(word));
}

function isHash(value: unknown): boolean {
  return typeof value === 'string' && hashForm.test(value);
}

/** `password_hash`, `passwordHash`, `Password-Hash` and `PASSWORD_HASH` are the same two words. */
function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
}

function asObject(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}
