// What users sign in with: emails, passwords, emailed codes and the tokens of identity providers.
import * as z from 'zod';
import { Count } from '../answer-values.js';
import { maxLength, text } from '../input-values.js';
import { codeDigits, maxEmailCharacters, maxIdTokenCharacters, maxPasswordBytes } from '../limits.js';
import { digitsForm, emailForm } from '../typed-text.js';

// One email address in the form that mail servers accept without quoting: the local part as in HTML, a host name with a dot,
// and no character that could start a second email or a header.
const emailPattern =
  /^(?!\.)(?!.*\.\.)[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}(?<!\.)@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

const tooLongEmail = `must have at most ${maxEmailCharacters} characters`;

/** The input may be longer before it is parsed, by white space and invisible characters. */
export const EmailInput = text({ max: 2 * maxEmailCharacters, error: tooLongEmail })
  .overwrite(emailForm)
  .check(maxLength(maxEmailCharacters))
  .regex(emailPattern, {
    error: ({ input }) =>
      /^[\0-\x7f]*$/.test(String(input))
        ? 'must be an email address'
        : 'must have ASCII characters only before the @, and a valid domain after it',
  })
  .meta({
    description:
      'One email address of at most 254 characters. The service trims and lower-cases it, removes invisible characters, ' +
      '`mailto:`, and quotation marks and angle brackets around it, accepts full-width characters, and writes an international ' +
      'domain in its `xn--` form.',
    format: 'email',
    example: 'ada@example.com',
  });

const tooLongPassword = `must have at most ${maxPasswordBytes} bytes`;

/**
 * A password in a request. It is normalised (NFKC) before its bytes are counted or hashed, and never trimmed or truncated. Its
 * characters are limited first, because normalising a long string blocks the event loop for seconds. The limit is two for each
 * byte, which no password within the limit of bytes exceeds (a mathematical A has two code units and becomes one byte). The
 * minimum length is checked only where a password is set: `auth/weak-password`.
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

const notSixDigits = 'must have six digits';

/** An emailed code. Anything but six digits is rejected, and not counted as an attempt. */
export const CodeInput = text({ max: 64, error: notSixDigits })
  .overwrite(digitsForm)
  .check(maxLength(codeDigits, notSixDigits))
  .regex(/^[0-9]{6}$/, notSixDigits)
  .meta({
    description:
      'The emailed code of six digits. Spaces, line ends, dashes, invisible characters and punctuation around it are ignored, ' +
      'and digits of other scripts, such as full-width or Arabic-Indic ones, are accepted.',
    example: '402718',
  });

/** The response to every call that mails a code; it is the same for every email. */
export const CodeSent = z
  .object({
    expires_in: Count.meta({ description: "The code's lifetime in seconds.", example: 600 }),
  })
  .meta({ id: 'CodeSent', description: 'The response is the same whether or not the email has an account.' });

const ProviderToken = text({ min: 1, max: maxIdTokenCharacters });

/** The credential of provider A: the ID token, and the nonce of the authorization request. */
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

/** The credential of any provider by its id. */
export const ProviderProof = z.object({
  id_token: ProviderToken.meta({
    description: "The provider's ID token.",
    example: 'eyJhbGciOiJSUzI1NiJ9.e30.c2ln',
  }),
  nonce: text({ min: 1, max: 512 }).meta({
    description:
      "Equal to the ID token's `nonce` claim. For provider B the raw nonce, of which the claim is the SHA-256 in hex.",
    example: 'Q3J5cHRv',
  }),
});

/** The credential of provider B: the identity token, the authorization code, and the raw value of the nonce. */
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
    description: 'The raw nonce; the provider received its SHA-256 in hex.',
    example: 'Q3J5cHRv',
  }),
});
