// The introduction of the v2 document, for a reader who has this one file: the conventions that every operation shares.
// Figures and codes come from the contract.
import { contract, type ErrorCode, errorCatalogue, limits } from '@foyer/contract';
import { answeredErrors } from './error-answers.js';
import { rateLimitTable } from './rate-limits.js';
import { operationsOf } from './routes.js';

const {
  accessTokenSeconds,
  bodyBytes,
  bodyLevels,
  bodyValues,
  pageItems,
  refreshIdleDays,
  refreshReuseSeconds,
} = limits;

export const introduction = `
User accounts and sign-in for mobile and web apps, and what such apps need beside them: sign-up and sign-in by password,
emailed code and identity provider, sessions and tokens, the user's profile, loyalty points, remote config, push messages,
files, collections of JSON data, webhooks, an audit log, and administration for the app's own backend.

# Getting started

Every path below is relative to \`{base_url}\`. Every call carries the key of the app, except the public documents under
**Tokens** and the bytes of files:

\`\`\`sh
curl {base_url}/auth/sign-up \\
  -H 'X-App-Key: <APP_KEY>' \\
  -H 'Content-Type: application/json' \\
  -d '{
    "email": "ada@example.com",
    "password": "correct horse battery staple"
  }'
\`\`\`

The answer contains an access token. Send it as \`Authorization: Bearer <ACCESS_TOKEN>\`, together with the app key, on the
calls of a signed-in user:

\`\`\`sh
curl {base_url}/me \\
  -H 'X-App-Key: <APP_KEY>' \\
  -H 'Authorization: Bearer <ACCESS_TOKEN>'
\`\`\`

The app's own backend sends a secret key in the same header, \`Authorization: Bearer <SECRET_KEY>\`; each key has scopes, and
each operation names the scope that it requires. Never put a secret key into an app or a web page.

The service uses tokens, never cookies. A browser may call it from any origin, unless the app's settings list the
allowed origins.

# Requests and answers

- Bodies are JSON in UTF-8, sent as \`application/json\`, of at most ${kibibytes(bodyBytes)} KiB and ${number(bodyValues)} values unless the operation says otherwise, and of at most ${bodyLevels} levels. A body with a \`Content-Encoding\` is refused. In the bodies of paths under \`/admin\` an unknown key is refused; in others it is ignored, except where an operation says that it refuses it. An upload is a form with one \`file\` and at most one \`visibility\`.
- An unknown query parameter is refused.
- A successful answer is \`{"data": …}\`; status 204 has no body. The public documents under **Tokens** and the bytes of files have no envelope.
- Every answer has an \`X-Request-Id\`. Quote it when you ask for help.
- Names are snake_case. Ids are [ULIDs](https://github.com/ulid/spec): 26 characters that sort by time of creation.
- Times are ISO 8601 in UTC with microseconds: \`2026-01-02T03:04:05.678000Z\`.
- In \`PATCH\` an absent key changes nothing, and \`null\` clears.
- New fields, new error codes and new values of enumerations may be added within v2. Clients must tolerate them.

# Errors

An error answer is \`{"error": {"code", "message", "fields"}}\`. Branch on \`code\`, never on \`message\`. \`fields\` maps the
dotted path of each wrong field of the request to the reasons (of at most 100 fields), and is \`{}\` when there is no detail:

\`\`\`json
{
  "error": {
    "code": "request/validation-failed",
    "message": "…",
    "fields": { "email": ["must be an email address"] }
  }
}
\`\`\`

Each operation lists the codes it can answer, by status. Treat an unknown code as its status. Requests that match no
operation are answered with one of ${codeList(codesOfNoOperation())}.

${codeTable()}

# Lists

A list is \`{"data": {"items": […], "next_cursor": …}}\`. Ask for \`limit\` items (default ${pageItems.default}, at most ${pageItems.max} unless the operation
says otherwise), and pass \`next_cursor\` as \`cursor\` to read the next page, until it is \`null\`. Cursors are opaque and
survive deletions.

# Staying signed in

The access token is short-lived: \`expires_in\` seconds, an app setting from ${number(accessTokenSeconds.min)} to ${number(accessTokenSeconds.max)}. The refresh token
works once and expires after ${refreshIdleDays} days without use. Keep the access token in memory and the refresh token in the
secure storage of the platform.

1. When a call answers \`auth/token-expired\` or \`auth/invalid-token\`, refresh once and repeat the call once.
2. Run one refresh at a time, and store the new refresh token before you use the new access token.
3. If a refresh gets no answer, send the same refresh token again: within ${refreshReuseSeconds} seconds of its use it is answered with the current
   refresh token. A spent token that is used later counts as stolen and ends the session.
4. \`auth/refresh-token-revoked\`, or \`auth/invalid-token\` as the answer to a refresh, ends the session: delete the tokens
   and show the sign-in screen. Nothing else does: after a network error, a timeout, 429 or 5xx the user stays signed in.

A signed-in call checks the session as well as the token, so signing out takes effect at once. A backend that verifies
access tokens itself needs only the issuer: see **Tokens**.

# Codes and strangers

The app key is public, so anybody who knows an email can have codes mailed to it and guess at them. A client that does
nothing about it has the newest code of an email, with ${limits.codeGuesses} guesses that everybody shares: a stranger who asks for another code,
or guesses ${limits.codeGuesses} times, makes the one in the user's hand worthless, and the user asks for a new one.

A client that asked for a code can keep it out of their reach. Every answer to a call that mails a code carries
\`X-Code-Flow\`, whether or not the email has an account. Send it back with the code:

\`\`\`sh
curl -D headers {base_url}/auth/email-code/send \\
  -H 'X-App-Key: <APP_KEY>' \\
  -H 'Content-Type: application/json' \\
  -d '{ "email": "ada@example.com" }'
# X-Code-Flow: fl_q0dyjPzW8uTGxXyW6zqkXA

curl {base_url}/auth/email-code/verify \\
  -H 'X-App-Key: <APP_KEY>' \\
  -H 'X-Code-Flow: fl_q0dyjPzW8uTGxXyW6zqkXA' \\
  -H 'Content-Type: application/json' \\
  -d '{ "email": "ada@example.com", "code": "402718" }'
\`\`\`

- Exactly the code of that answer is judged, for its ten minutes, even if others were mailed since.
- It has ${limits.codeGuesses} guesses of its own. Guesses without the header, or with another one, do not count against them.
- Using a code ends all codes of the same purpose and email.
- A value that has not the form of a flow is refused with \`request/validation-failed\`; a flow that names no code answers
  \`auth/invalid-code\`.
- A code that is read on another device, as with a mailed link, is sent without the header.

Strangers can also use up the wrong proofs that an email has in 15 minutes (**Rate limits**), and with them shut out a user who
has the right password. Wrong passwords and wrong codes are counted apart, so that one of the two ways in is left; and a
device that has signed in before is not concerned at all: every sign-in answers \`X-Device-Token\`. Keep it beside the
session, through sign-out too, and send it with sign-in, \`verify\`, \`reset\` and \`reauthenticate\`:

\`\`\`sh
curl {base_url}/auth/sign-in \\
  -H 'X-App-Key: <APP_KEY>' \\
  -H 'X-Device-Token: <DEVICE_TOKEN>' \\
  -H 'Content-Type: application/json' \\
  -d '{ "email": "ada@example.com", "password": "correct horse battery staple" }'
\`\`\`

- Failures are then counted for this device and user, ${limits.rateLimits['auth-failures-device'].limit} in 15 minutes, whatever strangers did. The calls of an IP address are
  limited all the same.
- The token is good for ${limits.deviceTokenDays} days, and until the password or the email changes or all sessions of the account end. It signs
  nobody in.
- A token of another account, an old or a broken one is ignored, so it can be sent for any email.

# Moving from v1

v1 (\`/api/v1\`) works on the same accounts, so an app can move release by release: users keep their accounts, passwords,
points and member ids.

1. When it starts, an updated app that still has a v1 token calls \`POST /auth/token/from-v1\` once, and deletes that token
   whatever the outcome. The answer is a normal sign-in. On \`auth/invalid-token\` the user signs in again.
2. \`GET /admin/migration\` counts the users who still use v1.
3. The setting \`v1_sunset_at\` is the shutdown date: once it is set, every v1 answer to the app carries
   \`Sunset\`, \`Deprecation\` and \`Link\`, and after that date it is 410. The exchange keeps working.

| v1 | v2 | Difference |
|---|---|---|
| \`POST /register\` | \`POST /auth/sign-up\` | signs in at once; names are optional; no \`password_confirmation\` |
| \`POST /login\` | \`POST /auth/sign-in\` | an access token and a refresh token instead of one token |
| \`GET /me\` | \`GET /me\`, \`GET /me/loyalty\`, \`GET /config\` | profile, loyalty status and app content are three calls |
| \`POST /logout\` | \`POST /auth/sign-out\` | |
| \`POST /password/forgot\`, \`POST /password/reset\` | \`POST /auth/password/forgot\`, \`POST /auth/password/reset\` | no \`password_confirmation\`; a reset ends every session |
| \`DELETE /account/delete\` | \`DELETE /me\` | needs a recent sign-in |

A user who registers in v1 and never proves the email **loses the password** at the first sign-in with an emailed code that
does not come from a session of the account: the password may belong to an attacker who registered with somebody else's
address and waits for its owner (account pre-hijacking). Sessions, v1 tokens and linked providers from before end with it,
and a mail tells the owner how to set a password. \`POST /auth/email/verification/confirm\`, or an emailed code sent with the
access token of the account, proves the email and removes nothing. Users who were imported from v1 keep their password, and
the setting \`unproven_credentials: "keep"\` turns this off for the whole app.

# Rate limits

${rateLimitTable()}

These are the defaults; an app may have others. The policies of an operation are in its description and, for machines, in
\`x-rate-limit\`. Where calls are counted, the answer has \`RateLimit-Policy\` (\`"client";q=${limits.rateLimits.client.limit};w=${limits.rateLimits.client.windowSeconds}\`: the quota and
its window in seconds) and \`RateLimit\` (\`"client";r=12;t=40\`: calls left, and seconds until more are allowed). Calls
that are refused for another reason count too. Over a limit the answer is 429 \`request/rate-limited\` with \`Retry-After\`.

An IPv4 address is counted by itself. An IPv6 address is counted by its /64, and with ${limits.widerNetworkFactor} times the limit by its /56, and with
${limits.widerNetworkFactor ** 2} times the limit by its /48.

Calls whose app key, token or secret key opens nothing are counted by address (\`invalid-credential-ip\`, expired access
tokens apart). Over that limit an address gets 429 for every app key, v1 token and secret key that has opened nothing before.

Codes are counted by kind: sign-in, reset (in v1 too), verification and change of email. \`name+tag@host\` counts as
\`name@host\`. Over a limit by email the answer is the same and nothing is mailed. After ${limits.rateLimits['code-send-email'].limit} in a day the codes of one kind to
one email slow down to one in ${limits.rateLimits['code-send-email-slow'].windowSeconds / 60} minutes, and never stop; addresses that asked for more than ${limits.rateLimits['code-send-email-ip-day'].limit} that day are slowed down
apart from all others.

An app as a whole makes at most \`limits.sign_ups_per_hour\` accounts (${number(limits.signUpsPerHour.default)} unless it is set): further ones are refused with
\`request/rate-limited\`, whichever way they are made. It mails at most \`limits.mails_to_strangers_per_hour\` codes
(${number(limits.mailsToStrangersPerHour.default)}) to emails without an account: further ones are not mailed, behind the same answer.
`.trim();

/** The codes for requests that no operation answers: unknown paths, wrong methods. */
function codesOfNoOperation(): ErrorCode[] {
  const known = new Set(operationsOf(contract).flatMap(({ route }) => answeredErrors(route)));
  return (Object.keys(errorCatalogue) as ErrorCode[]).filter(
    (code) => !known.has(code) || code === 'request/not-found',
  );
}

function codeTable(): string {
  const rows = Object.entries(errorCatalogue).map(
    ([code, { status, message }]) => `| \`${code}\` | ${status} | ${message} |`,
  );
  return ['| Code | Status | Meaning |', '|---|---|---|', ...rows].join('\n');
}

function codeList(codes: ErrorCode[]): string {
  return codes.map((code) => `\`${code}\` (${errorCatalogue[code].status})`).join(', ');
}

function kibibytes(bytes: number): number {
  return bytes / 1_024;
}

function number(value: number): string {
  return value.toLocaleString('en');
}
