// Shapes that several endpoints share: envelope, ids, times, pages, emails, passwords, the user and the token answer.
import { z } from 'zod';
import { Count, listUpTo, textUpTo } from './answer-values.js';
import {
  accessTokenSeconds,
  maxAccessTokenCharacters,
  maxCursorCharacters,
  maxEmailCharacters,
  maxNameCharacters,
  maxPasswordBytes,
  maxRefreshTokenCharacters,
  maxUrlCharacters,
  pageItems,
} from './limits.js';
import { text, trimmedCharacters } from './text.js';

/** `{"data": …}`, the envelope of every successful answer. */
export function dataEnvelope<T extends z.ZodType>(data: T) {
  return z.object({ data });
}

/** `{"items": […], "next_cursor": …}`, the shape of every list. */
export function pageOf<T extends z.ZodType>(item: T, maxItems: number = pageItems.max) {
  return z
    .object({
      items: listUpTo(maxItems, item),
      next_cursor: textUpTo(maxCursorCharacters).nullable().meta({
        description: 'Pass it as `cursor` to read on; null on the last page.',
        example: null,
      }),
    })
    .meta({ description: 'One page of the list.' });
}

/** A whole number in a path or query: digits alone, so that a number has one name, and `1e1` is none. */
export function inDigits({ min, max }: { min: number; max: number }) {
  const number = z.int('must be a whole number in decimal digits').min(min).max(max);
  return z.preprocess(
    (given) => (typeof given === 'string' && /^(0|[1-9][0-9]{0,14})$/.test(given) ? Number(given) : given),
    number,
  );
}

export const PageQuery = z.object({
  limit: inDigits({ min: 1, max: pageItems.max })
    .default(pageItems.default)
    .meta({ description: `Items a page, at most ${pageItems.max}.`, example: pageItems.default }),
  cursor: text(1_024).optional().meta({
    description: 'The `next_cursor` of the page before; opaque.',
    example: 'MDFKQzRRN00wUlo5WDJWNVQ4VzNZNksxTkI',
  }),
});

export const Ulid = text(26, 'must be a ULID')
  .regex(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/, 'must be a ULID')
  .meta({ description: 'A ULID.', example: '01JC4Q7M0RZ9X2V5T8W3Y6K1NB' });

export const Timestamp = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/, 'must be a UTC timestamp with microseconds')
  .meta({
    description: 'ISO 8601, UTC, with microseconds.',
    format: 'date-time',
    example: '2026-01-02T03:04:05.678000Z',
  });

/** A moment as backends may send it: any ISO 8601 time with its zone; parsing makes a `Timestamp` of it, cut to the microsecond. */
export const InstantInput = text(40)
  .regex(
    /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/,
    'must be an ISO 8601 time such as 2026-01-02T03:04:05Z',
  )
  .transform((text, context) => {
    const date = new Date(text);
    const year = date.getUTCFullYear();
    // A zone can carry a time out of the years that a timestamp is able to name, and `Date` makes a March of the 30th of February.
    if (!(year >= 1 && year <= 9_999 && z.iso.date().safeParse(text.slice(0, 10)).success)) {
      context.addIssue({ code: 'custom', message: 'must be a time of the calendar' });
      return z.NEVER;
    }
    const fraction = (/\.(\d+)/.exec(text)?.[1] ?? '').padEnd(6, '0').slice(0, 6);
    return `${date.toISOString().slice(0, 19)}.${fraction}Z`;
  })
  .meta({ description: 'ISO 8601 with a zone.', format: 'date-time', example: '2026-01-02T03:04:05Z' });

// One address in the form mail servers accept without quoting: HTML's rule for the local part, dotted host labels, and
// nothing in it that could start a second address or header.
const emailPattern =
  /^(?!\.)(?!.*\.\.)[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}(?<!\.)@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

const tooLongEmail = `must have at most ${maxEmailCharacters} characters`;

/** An email as clients may send it; parsing trims and lower-cases it. Before that it may be longer by white space. */
export const EmailInput = text(2 * maxEmailCharacters, tooLongEmail)
  .trim()
  .toLowerCase()
  .max(maxEmailCharacters, { abort: true, error: tooLongEmail })
  .regex(emailPattern, 'must be an email address')
  .meta({
    description: 'Trimmed and lower-cased by the service; one address, at most 254 characters.',
    format: 'email',
    maxLength: maxEmailCharacters,
    example: 'ada@example.com',
  });

const tooLongPassword = `must have at most ${maxPasswordBytes} bytes`;

/**
 * A password as clients may send it. It is normalised (NFKC) before its bytes are counted or hashed, and never trimmed or
 * cut. Its units are limited first, because normalising a long one would stop the service for seconds: to two for each byte,
 * which NFKC never exceeds (a mathematical A has two units and becomes one byte; accents need fewer), so that no password
 * within the limit is refused. Its least length is judged where one is set, not where one is proven: `auth/weak-password`.
 */
export const PasswordInput = text(2 * maxPasswordBytes, tooLongPassword)
  .refine((password) => new TextEncoder().encode(password.normalize('NFKC')).length <= maxPasswordBytes, {
    abort: true,
    error: tooLongPassword,
  })
  .meta({
    description: `At most ${maxPasswordBytes} bytes of UTF-8 after NFKC normalisation; never trimmed.`,
    format: 'password',
    example: 'correct horse battery staple',
  });

/** An emailed code. Anything but six digits is refused before it counts as a guess. */
export const CodeInput = text(6, 'must have six digits')
  .regex(/^[0-9]{6}$/, 'must have six digits')
  .meta({ description: 'The six digits that were mailed.', example: '402718' });

/** The answer to every call that mails a code; the same for every email. */
export const CodeSent = z
  .object({
    expires_in: Count.meta({ description: 'Seconds until the code expires.', example: 600 }),
  })
  .meta({ id: 'CodeSent', description: 'The answer is the same whether or not the email has an account.' });

const ProviderToken = text(8_192).min(1);

/** What a client has of provider A: the ID token, and the nonce that it put into the request for it. */
export const ProviderAProof = z.object({
  id_token: ProviderToken.meta({
    description: "Provider A's ID token.",
    example: 'eyJhbGciOiJSUzI1NiJ9.e30.c2ln',
  }),
  nonce: text(512)
    .min(1)
    .meta({ description: "Equal to the ID token's `nonce` claim.", example: 'Q3J5cHRv' }),
});

/** What a client has of provider B: the identity token, the code, and the raw value of the nonce. */
export const ProviderBProof = z.object({
  identity_token: ProviderToken.meta({
    description: "Provider B's identity token.",
    example: 'eyJhbGciOiJSUzI1NiJ9.e30.c2ln',
  }),
  authorization_code: text(2_048).min(1).meta({
    description: "Lets the service revoke the provider's tokens when the account is deleted.",
    example: 'c1f0e2',
  }),
  nonce: text(512).min(1).meta({
    description: 'The raw value whose SHA-256, in hex, was sent to the provider.',
    example: 'Q3J5cHRv',
  }),
});

/** A personal name in NFC, so that it is found however it is typed: at most 100 code points after trimming; blank is none. */
export const NameInput = trimmedCharacters(maxNameCharacters)
  .transform((name) => (name === '' ? null : name))
  .nullable()
  .meta({
    description: 'At most 100 characters; null or blank for none.',
    maxLength: maxNameCharacters,
    example: 'Ada',
  });

export const PhotoUrlInput = text(maxUrlCharacters, `must have at most ${maxUrlCharacters} characters`)
  .refine(isHttpsUrl, 'must be an https address')
  .nullable()
  .meta({
    description: 'An https address of at most 2,048 characters; null for none.',
    example: 'https://images.example.com/ada.jpg',
  });

function isHttpsUrl(value: string): boolean {
  return /^https:\/\/[^\s/]/i.test(value) && URL.canParse(value);
}

export const User = z
  .object({
    uid: Ulid.meta({ description: 'The user within the app; never changes.' }),
    email: textUpTo(maxEmailCharacters).meta({
      description: 'Always lower-case.',
      example: 'ada@example.com',
    }),
    email_verified: z.boolean().meta({ description: 'False after sign-up with a password.', example: false }),
    first_name: textUpTo(maxNameCharacters)
      .nullable()
      .meta({ description: 'Null until one is given.', example: 'Ada' }),
    last_name: textUpTo(maxNameCharacters)
      .nullable()
      .meta({ description: 'Null until one is given.', example: 'Lovelace' }),
    photo_url: textUpTo(maxUrlCharacters)
      .nullable()
      .meta({ description: 'An https address, or null.', example: null }),
    created_at: Timestamp.meta({ description: 'When the account was made.' }),
  })
  .meta({ id: 'User', description: 'A user of the app.' });
export type User = z.infer<typeof User>;

export const TokenAnswer = z
  .object({
    access_token: textUpTo(maxAccessTokenCharacters).meta({
      description: 'A JWT (`typ: at+jwt`), verifiable with the key set.',
      example: 'eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.e30.c2lnbmF0dXJl',
    }),
    token_type: z
      .literal('Bearer')
      .meta({ description: 'Send the access token as `Authorization: Bearer`.' }),
    expires_in: z.number().int().min(1).max(accessTokenSeconds.max).meta({
      description: 'Seconds of validity of the access token; an app setting, 300 to 86,400.',
      example: accessTokenSeconds.default,
    }),
    refresh_token: textUpTo(maxRefreshTokenCharacters).meta({
      description: 'Opaque; usable once: store the new one of each answer.',
      example: 'rt_AQ…',
    }),
    user: User,
  })
  .meta({ id: 'TokenAnswer', description: 'A new pair of tokens, and whose they are.' });
export type TokenAnswer = z.infer<typeof TokenAnswer>;
