// The introduction of the v2 document, for a reader who has this one file: the conventions that every operation shares.
// Figures and codes come from the contract.
import { contract, type ErrorCode, errorCatalogue, limits } from '@foyer/contract';
import { answeredErrors } from './error-answers.js';
import { rateLimitTable } from './rate-limits.js';
import { operationsOf } from './routes.js';

const { accessTokenSeconds, bodyBytes, pageItems, refreshIdleDays, refreshReuseSeconds } = limits;

export const introduction = `
Accounts and sign-in for the end users of mobile and web apps: sign up, sign in, stay signed in, sign out.

# Getting started

Every path below is relative to \`{base_url}\`, which ends in \`/api/v2\`. Every call but the public documents under
**Tokens** and the bytes of files carries the key of the app:

\`\`\`sh
curl {base_url}/auth/sign-up \\
  -H 'X-App-Key: <APP_KEY>' \\
  -H 'Content-Type: application/json' \\
  -d '{
    "email": "ada@example.com",
    "password": "correct horse battery staple"
  }'
\`\`\`

The answer holds an access token. Send it as \`Authorization: Bearer <ACCESS_TOKEN>\` on the calls of a signed-in user,
beside the app key:

\`\`\`sh
curl {base_url}/me \\
  -H 'X-App-Key: <APP_KEY>' \\
  -H 'Authorization: Bearer <ACCESS_TOKEN>'
\`\`\`

The service uses tokens, never cookies. A browser may call it from any origin, unless the app's settings name the
origins it allows.

# Requests and answers

- Bodies are JSON in UTF-8, sent as \`application/json\`, of at most ${kibibytes(bodyBytes)} KiB. Unknown keys in a body are dropped. An upload is a form.
- A successful answer is \`{"data": …}\`; status 204 has no body. The public documents under **Tokens** and the bytes of files stand alone.
- Every answer has an \`X-Request-Id\`. Quote it when you ask for help.
- Names are snake_case. Ids are [ULIDs](https://github.com/ulid/spec): 26 characters that sort by time of creation.
- Times are ISO 8601 in UTC with microseconds: \`2026-01-02T03:04:05.678000Z\`.
- In \`PATCH\` a key that is absent changes nothing, and \`null\` clears.
- New fields, new error codes and new values of enumerations may be added within v2. A client must bear them.

# Errors

An error answer is \`{"error": {"code", "message", "fields"}}\`. Branch on \`code\`, never on \`message\`. \`fields\` tells what
is wrong with which field of the request, by dotted path, and is \`{}\` when there is no detail:

\`\`\`json
{
  "error": {
    "code": "request/validation-failed",
    "message": "…",
    "fields": { "email": ["must be an email address"] }
  }
}
\`\`\`

Each operation lists the codes it can answer, by status. A code you do not know means what its status means. Requests
that reach no operation answer one of ${codeList(codesOfNoOperation())}.

${codeTable()}

# Lists

A list is \`{"data": {"items": […], "next_cursor": …}}\`. Ask for \`limit\` items (${pageItems.default} unless you say, at most ${pageItems.max}), and
read on by passing \`next_cursor\` as \`cursor\`, until it is \`null\`. Cursors are opaque and survive deletions.

# Staying signed in

The access token is short-lived: \`expires_in\` seconds, an app setting from ${number(accessTokenSeconds.min)} to ${number(accessTokenSeconds.max)}. The refresh token
works once and expires after ${refreshIdleDays} days without use. Keep the access token in memory and the refresh token in the
secure storage of the platform.

1. When a call answers \`auth/token-expired\` or \`auth/invalid-token\`, refresh once and repeat the call once.
2. Run one refresh at a time, and store the new refresh token before you use the new access token.
3. No answer to a refresh? Send the same refresh token again: within ${refreshReuseSeconds} seconds of its use it is answered with the current
   refresh token. Used later than that, a spent token counts as stolen and ends the session.
4. \`auth/refresh-token-revoked\`, or \`auth/invalid-token\` as the answer to a refresh, ends it: delete the tokens and show
   the sign-in screen. Nothing else does; no network, a timeout, 429 and 5xx keep the user signed in.

A signed-in call is judged by the session as well as by the token, so signing out works at once. A backend that verifies
access tokens itself needs the issuer alone: see **Tokens**.

# Moving from v1

v1 (\`/api/v1\`) works on the same accounts, so an app can move release by release: users keep their accounts, passwords,
points and member ids.

1. On its start, an updated app that still holds a token of v1 calls \`POST /auth/token/from-v1\` once, and deletes that token
   whatever the outcome. The answer is a normal sign-in. On \`auth/invalid-token\` the user signs in again.
2. \`GET /admin/migration\` says who is left on v1.
3. The setting \`v1_sunset_at\` is the shutdown date: every answer of v1 to the app then has \`Sunset\`, \`Deprecation\` and
   \`Link\`, and from that second on it is 410. The exchange goes on working.

| v1 | v2 | Difference |
|---|---|---|
| \`POST /register\` | \`POST /auth/sign-up\` | signs in at once; names are optional; no \`password_confirmation\` |
| \`POST /login\` | \`POST /auth/sign-in\` | an access token and a refresh token instead of one token |
| \`GET /me\` | \`GET /me\`, \`GET /me/loyalty\`, \`GET /config\` | profile, loyalty status and app content are three calls |
| \`POST /logout\` | \`POST /auth/sign-out\` | |
| \`POST /password/forgot\`, \`POST /password/reset\` | \`POST /auth/password/forgot\`, \`POST /auth/password/reset\` | no \`password_confirmation\`; a reset ends every session |
| \`DELETE /account/delete\` | \`DELETE /me\` | needs a recent sign-in |

Whoever registers in v1 and never proves the email **loses the password** at the first sign-in with an emailed code that
does not come from a session of the account: the password may be that of somebody who registered with the address of
another, and waits for its owner (account pre-hijacking). Sessions, tokens of v1 and links that were made before end with
it, and a mail tells the owner how to set a password. \`POST /auth/email/verification/confirm\`, or the emailed code sent
with the access token of the account, proves the email and takes nothing away. Users who were imported from v1 keep their
password, and the setting \`unproven_credentials: "keep"\` spares everybody.

# Rate limits

${rateLimitTable()}

These are the defaults; an app may have others. The policies that hold for an operation stand in its description and, for
machines, in \`x-rate-limit\`. Where calls are counted, the answer has \`RateLimit-Policy\` (\`"client";q=${limits.rateLimits.client.limit};w=${limits.rateLimits.client.windowSeconds}\`: the quota and
its window in seconds) and \`RateLimit\` (\`"client";r=12;t=40\`: calls left, and seconds until more are allowed). Refused
calls count too. Over a limit the answer is 429 \`request/rate-limited\` with \`Retry-After\`.
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
