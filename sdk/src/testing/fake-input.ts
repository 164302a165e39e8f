// Checks the bodies of requests as the real service does, field by field.
import { Refusal } from './fake-answer.js';
import { digitsForm, emailForm, isVisible, recoveryCodeForm, withoutControls } from './fake-typed-text.js';

type Body = Record<string, unknown>;
/** Returns the accepted value, or throws the message for the field. */
type Check<T> = (value: unknown) => T;

class Invalid {
  constructor(readonly message: string) {}
}

const emailPattern =
  /^(?!\.)(?!.*\.\.)[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}(?<!\.)@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

export function text(max: number, min = 1): Check<string> {
  return (value) => {
    if (typeof value === 'string' && value.length >= min && [...value].length <= max) return value;
    throw new Invalid(`must be text of ${min} to ${max} characters`);
  };
}

export const email: Check<string> = (value) => {
  const trimmed = typeof value === 'string' ? emailForm(value) : '';
  if (trimmed.length <= 254 && emailPattern.test(trimmed)) return trimmed;
  throw new Invalid('must be an email address');
};

/** The length in UTF-8. */
export function bytesOf(text: string): number {
  return unescape(encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'))).length;
}

/** Normalized, as it is stored: NFKC, at most 1,024 bytes of UTF-8. */
export const password: Check<string> = (value) => {
  const normalized = typeof value === 'string' ? value.normalize('NFKC') : undefined;
  if (normalized !== undefined && bytesOf(normalized) <= 1_024) return normalized;
  throw new Invalid('must be text of at most 1024 bytes');
};

export const code: Check<string> = (value) => {
  const digits = typeof value === 'string' ? digitsForm(value) : '';
  if (/^[0-9]{6}$/.test(digits)) return digits;
  throw new Invalid('must have six digits');
};

export const recoveryCode: Check<string> = (value) => {
  const typed = typeof value === 'string' ? recoveryCodeForm(value) : '';
  if (/^[0-9a-hjkmnp-tv-z]{10}$/.test(typed)) return typed;
  throw new Invalid('must be a recovery code such as k3x9d-7m2qp');
};

/** Text of one line, without white space around it. */
export function trimmed(max: number): Check<string> {
  return (value) => text(max)(lineOf(value) ?? value);
}

function lineOf(value: unknown): string | undefined {
  return typeof value === 'string' ? withoutControls(value).trim().normalize('NFC') : undefined;
}

/** Blank is null: it clears the name. */
const name: Check<string | null> = (value) => {
  if (value === null) return null;
  const line = lineOf(value);
  if (line === undefined || [...line].length > 100) {
    throw new Invalid('must have at most 100 characters');
  }
  return isVisible(line) ? line : null;
};

const photoUrl: Check<string | null> = (value) => {
  if (value === null) return null;
  const isHttps = typeof value === 'string' && value.length <= 2_048 && /^https:\/\/[^/\s]/i.test(value);
  if (isHttps && isUrl(value)) return value;
  throw new Invalid('must be an https URL');
};

function isUrl(text: string): boolean {
  try {
    new URL(text);
    return true;
  } catch {
    return false;
  }
}

export const object: Check<Body> = (value) => {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Body;
  throw new Invalid('must be an object');
};

export function optional<T>(check: Check<T>): Check<T | undefined> {
  return (value) => (value === undefined ? undefined : check(value));
}

/** The fields of the profile, which a user may set; null at first. */
export const profileFields = {
  first_name: optional(name),
  last_name: optional(name),
  photo_url: optional(photoUrl),
};

/** The accepted fields of a body; refuses with a message for each field that is not valid. */
export function accept<C extends Record<string, Check<unknown>>>(
  body: Body,
  checks: C,
): { [K in keyof C]: ReturnType<C[K]> } {
  const accepted: Body = {};
  const fields: Record<string, string[]> = {};
  for (const [field, check] of Object.entries(checks)) {
    try {
      accepted[field] = check(body[field]);
    } catch (error) {
      if (error instanceof Invalid) fields[field] = [error.message];
      else if (error instanceof Refusal) {
        for (const [inner, messages] of Object.entries(error.fields)) fields[`${field}.${inner}`] = messages;
      } else throw error;
    }
  }
  if (Object.keys(fields).length > 0) throw new Refusal('request/validation-failed', fields);
  return accepted as { [K in keyof C]: ReturnType<C[K]> };
}

/** An object within a body, whose fields have dotted paths. */
export function nested<C extends Record<string, Check<unknown>>>(checks: C) {
  return (value: unknown) => accept(object(value), checks);
}

/** The minimum length is checked only where a password is set. */
export function requireStrongPassword(value: string): void {
  if ([...value].length >= 8) return;
  throw new Refusal('auth/weak-password', { password: ['must have at least 8 characters'] });
}
