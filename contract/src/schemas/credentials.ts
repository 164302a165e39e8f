// What users sign in with: emails, passwords, mailed codes and the tokens of identity providers.
import { z } from 'zod';
import { Count } from '../answer-values.js';
import { maxLength, text } from '../input-values.js';
import { maxEmailCharacters, maxPasswordBytes } from '../limits.js';

// One address in the form mail servers accept without quoting: HTML's rule for the local part, dotted host labels, and
// nothing in it that could start a second address or header.
const emailPattern =
  /^(?!\.)(?!.*\.\.)[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}(?<!\.)@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

const tooLongEmail = `must have at most ${maxEmailCharacters} characters`;

/** An email as clients may send it; parsing trims and lower-cases it. Before that it may be longer by white space. */
export const EmailInput = text({ max: 2 * maxEmailCharacters, error: tooLongEmail })
  .trim()
  .toLowerCase()
  .check(maxLength(maxEmailCharacters))
  .regex(emailPattern, 'must be an email address')
  .meta({
    description: 'Trimmed and lower-cased by the service; one address, at most 254 characters.',
    format: 'email',
    example: 'ada@example.com',
  });

const tooLongPassword = `must have at most ${maxPasswordBytes} bytes`;

/**
 * A password as clients may send it. It is normalised (NFKC) before its bytes are counted or hashed, and never trimmed or
 * cut. Its units are limited first, because normalising a long one would stop the service for seconds: to two for each byte,
 * which NFKC never exceeds (a mathematical A has two units and becomes one byte; accents need fewer), so that no password
 * within the limit is refused. Its least length is judged where one is set, not where one is proven: `auth/weak-password`.
 */
export const PasswordInput = text({ max: 2 * maxPasswordBytes, error: tooLongPassword })
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
export const CodeInput = text({ max: 6, error: 'must have six digits' })
  .regex(/^[0-9]{6}$/, 'must have six digits')
  .meta({ description: 'The six digits that were mailed.', example: '402718' });

/** The answer to every call that mails a code; the same for every email. */
export const CodeSent = z
  .object({
    expires_in: Count.meta({ description: 'Seconds until the code expires.', example: 600 }),
  })
  .meta({ id: 'CodeSent', description: 'The answer is the same whether or not the email has an account.' });

const ProviderToken = text({ min: 1, max: 8_192 });

/** What a client has of provider A: the ID token, and the nonce that it put into the request for it. */
export const ProviderAProof = z.object({
  id_token: ProviderToken.meta({
    description: "Provider A's ID token.",
    example: 'eyJhbGciOiJSUzI1NiJ9.e30.c2ln',
  }),
  nonce: text({ min: 1, max: 512 }).meta({
    description: "Equal to the ID token's `nonce` claim.",
    example: 'Q3J5cHRv',
  }),
});

/** What a client has of provider B: the identity token, the code, and the raw value of the nonce. */
export const ProviderBProof = z.object({
  identity_token: ProviderToken.meta({
    description: "Provider B's identity token.",
    example: 'eyJhbGciOiJSUzI1NiJ9.e30.c2ln',
  }),
  authorization_code: text({ min: 1, max: 2_048 }).meta({
    description: "Lets the service revoke the provider's tokens when the account is deleted.",
    example: 'c1f0e2',
  }),
  nonce: text({ min: 1, max: 512 }).meta({
    description: 'The raw value whose SHA-256, in hex, was sent to the provider.',
    example: 'Q3J5cHRv',
  }),
});
