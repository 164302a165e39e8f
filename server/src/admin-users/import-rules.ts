// Forbidden fields of an import: a password or its hash, under any name that other services export, at any depth. It
// would be dropped like any unknown name, and the users could not sign in with the password that the app expects to
// work.

/** One word of a name, or several written as one: `passwordhash`. */
const telling =
  /^((hashed|salted|encrypted)?(passwords?|passwd|pwd|hash|salt|bcrypt|scrypt|argon2(id|i|d)?|pbkdf2|digest|credentials?))+$/;

/** A hash as libraries write it: `$2b$10$…`, `$argon2id$…`. */
const hashForm = /^\$(2[abxy]\$|argon2|scrypt|pbkdf2)/;

/** An error has no more fields, and shows no more of a name. */
const max = { paths: 100, nameCharacters: 300 };

/**
 * The dotted paths of fields that look like a password. A path is only built for such a field, since a long name may be
 * above thousands of others. The depth of bodies is limited before.
 */
export function passwordFieldsOf(value: unknown): string[] {
  const paths: string[] = [];
  collect(value, { above: [], inClaims: false, paths });
  return paths;
}

type Search = { above: string[]; inClaims: boolean; paths: string[] };

function collect(value: unknown, { above, inClaims, paths }: Search): void {
  for (const [name, inner] of Object.entries(asObject(value))) {
    if (paths.length === max.paths) return;
    above.push(name);
    // The names of claims are up to the app, and claims are stored, not dropped.
    if (isHash(inner) || (!inClaims && isTelling(name))) paths.push(above.map(shortened).join('.'));
    else collect(inner, { above, inClaims: inClaims || name === 'claims', paths });
    above.pop();
  }
}

function shortened(name: string): string {
  return name.slice(0, max.nameCharacters);
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
