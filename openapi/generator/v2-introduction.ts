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
User accounts and sign-in for mobile and web apps, with the services that such apps need: sign-up and sign-in by password,
emailed code and identity provider, sessions and tokens, the user's profile, loyalty points, remote config, push messages,
files, collections of JSON data, webhooks, an audit log, and administration for the app's own backend.

# Getting started

Every path below is relative to \`{base_url}\`. Every call requires the key of the app, except the public documents under
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

The response contains an access token. Send it as \`Authorization: Bearer <ACCESS_TOKEN>\`, together with the app key, with
the calls of a signed-in user:

\`\`\`sh
curl {base_url}/me \\
  -H 'X-App-Key: <APP_KEY>' \\
  -H 'Authorization: Bearer <ACCESS_TOKEN>'
\`\`\`

The app's own backend sends a secret key in the same header, \`Authorization: Bearer <SECRET_KEY>\`; each key has scopes, and
each operation names the scope that it requires. Never put a secret key into an app or a web page. The dashboard sends the
access token of a team member instead, whose role in the app takes the place of scopes.

The service uses tokens, never cookies. A browser may call it from any origin, unless the app's settings list the
allowed origins.

# Requests and responses

- Bodies are JSON in UTF-8, sent as \`application/json\`, of at most ${kibibytes(bodyBytes)} KiB and ${number(bodyValues)} values unless the operation has other limits, and of at most ${bodyLevels} levels. A body with a \`Content-Encoding\` is rejected. Unknown keys are rejected in the bodies of paths under \`/admin\` and \`/console\` and of operations that say so, and ignored in all others. An upload is a form with one \`file\` and at most one \`visibility\`.
- An unknown query parameter is rejected.
- A successful response is \`{"data": …}\`; status 204 has no body. The public documents under **Tokens** and the bytes of files have no envelope.
- Every response has an \`X-Request-Id\`. Include it in support requests.
- Names are snake_case. Ids are [ULIDs](https://github.com/ulid/spec): 26 characters that sort by time of creation.
- Times are ISO 8601 in UTC with microseconds: \`2026-01-02T03:04:05.678000Z\`.
- Leave an optional field out if you have no value for it. \`null\` is a value of its own: only fields whose schema lists it accept it, as "none", and in \`PATCH\` it clears the field, while an absent key changes nothing. In the fields of a record \`null\` is stored.
- New fields, new error codes and new values of enumerations may be added within v2. Clients must tolerate them.

# Errors

An error response is \`{"error": {"code", "message", "fields"}}\`. Branch on \`code\`, never on \`message\`. \`fields\` maps the
dotted path of each invalid field of the request to its messages (for at most 100 fields), and is \`{}\` without details:

\`\`\`json
{
  "error": {
    "code": "request/validation-failed",
    "message": "…",
    "fields": { "email": ["must be an email address"] }
  }
}
\`\`\`

Each operation lists the codes it can return, by status. Handle an unknown code by its status. Requests that match no
operation return one of ${codeList(codesOfNoOperation())}.

${codeTable()}

# Lists

A list is \`{"data": {"items": […], "next_cursor": …}}\`. Request \`limit\` items (default ${pageItems.default}, at most ${pageItems.max} unless the operation
has another maximum), and pass \`next_cursor\` as \`cursor\` to read the next page, until it is \`null\`; a query over records takes
it as \`startAfter\`. Cursors are opaque and remain valid when items are deleted.

# Staying signed in

The access token is short-lived: \`expires_in\` seconds, an app setting from ${number(accessTokenSeconds.min)} to ${number(accessTokenSeconds.max)}. The refresh token
can be used once and expires after ${refreshIdleDays} days without use. Keep the access token in memory and the refresh token in the
secure storage of the platform.

1. When a call returns \`auth/token-expired\` or \`auth/invalid-token\`, refresh once and retry the call once.
2. Run one refresh at a time, and store the new refresh token before you use the new access token.
3. If a refresh gets no response, send the same refresh token again: within ${refreshReuseSeconds} seconds of its use it returns the current
   refresh token. A used token that is sent later is treated as stolen and ends the session.
4. After \`auth/refresh-token-revoked\`, or \`auth/invalid-token\` in response to a refresh, the session has ended: delete the
   tokens and show the sign-in screen. No other error ends it: after a network error, a timeout, 429 or 5xx the user stays signed in.

A signed-in call checks the session as well as the token, so signing out takes effect immediately. A backend that verifies
access tokens itself needs only the issuer: see **Tokens**.

# Protection against third parties

The app key is public, so anyone who knows an email can have codes emailed to it and try to guess them. By default all clients
share the newest code of an email and its ${limits.codeGuesses} attempts: a third party who requests another code, or guesses ${limits.codeGuesses} times,
invalidates the code that the user received, and the user has to request a new one.

A client can protect the code that it requested. Every response to a call that mails a code has \`X-Code-Flow\`, whether or
not the email has an account. Send it back with the code:

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

- Only the code of that response is checked, for its ten minutes, even if other codes were emailed later.
- It has ${limits.codeGuesses} attempts of its own. Attempts without the header, or with another value, do not count against them.
- Using a code invalidates all codes of the same purpose and email.
- Send it with the next request for a code too: the new code continues the flow, and the code emailed before works if this
  call emails none. After a sign-in it proves that the client is known to the account, as \`X-Device-Token\` does.
- A malformed value is rejected with \`request/validation-failed\`. A value that identifies no code counts as none, such as
  that of a second call within ${limits.rateLimits['code-send-email-ip-pause'].windowSeconds} seconds, which emails no code: the code emailed before still works.
- If the code is entered on another device, as with a magic link, send it without the header. Codes emailed above the daily
  limit of an email (**Rate limits**) work with their flow only.

Third parties can also use up the failed attempts that an email has in 15 minutes (**Rate limits**), and so lock out a user who
has the right password. Failed passwords and failed codes are counted separately, so that one of the two sign-in methods
remains available. A device that has signed in before is not affected: every sign-in and every new password return \`X-Device-Token\`. Store it with
the session, also beyond sign-out, and send it with sign-in, \`verify\`, \`reset\` and \`reauthenticate\`, and with every
request for a code:

\`\`\`sh
curl {base_url}/auth/sign-in \\
  -H 'X-App-Key: <APP_KEY>' \\
  -H 'X-Device-Token: <DEVICE_TOKEN>' \\
  -H 'Content-Type: application/json' \\
  -d '{ "email": "ada@example.com", "password": "correct horse battery staple" }'
\`\`\`

- Failures are then counted for this device and user, ${limits.rateLimits['auth-failures-device'].limit} in 15 minutes, independently of other clients. The limits by IP
  address still apply.
- The token is valid for ${limits.deviceTokenDays} days, or until the password or the email changes, a passkey, a provider or the
  authenticator app is removed, or all sessions of the account end. It does not authenticate the user.
- An expired or malformed token, or one of another account, is ignored, so it can be sent for any email.

# Moving from v1

v1 (\`/api/v1\`) works on the same accounts, so an app can move release by release: users keep their accounts, passwords,
points and member ids.

1. When it starts, an updated app that still has a v1 token calls \`POST /auth/token/from-v1\` once, and deletes that token
   regardless of the result. The response is that of a sign-in. On \`auth/invalid-token\` the user must sign in again.
2. \`GET /admin/migration\` counts the users who still use v1.
3. The setting \`v1_sunset_at\` is the shutdown date: once it is set, every v1 response to the app has
   \`Sunset\`, \`Deprecation\` and \`Link\`, and after that date its status is 410. The exchange remains available.

| v1 | v2 | Difference |
|---|---|---|
| \`POST /register\` | \`POST /auth/sign-up\` | signs in at once; names are optional; no \`password_confirmation\` |
| \`POST /login\` | \`POST /auth/sign-in\` | an access token and a refresh token instead of one token |
| \`GET /me\` | \`GET /me\`, \`GET /me/loyalty\`, \`GET /config\` | profile, loyalty status and app content are three calls |
| \`POST /logout\` | \`POST /auth/sign-out\` | |
| \`POST /password/forgot\`, \`POST /password/reset\` | \`POST /auth/password/forgot\`, \`POST /auth/password/reset\` | no \`password_confirmation\`; a reset ends every session |
| \`DELETE /account/delete\` | \`DELETE /me\` | needs a recent sign-in |

A user who registers in v1 and never verifies the email **loses the password** at the first sign-in with an emailed code, unless
the code is sent with the access token of the account: the password may belong to an attacker who registered with the email of
another person and waits for its owner to sign in (account pre-hijacking). Earlier sessions, v1 tokens and linked providers are
removed too, and a mail explains how to set a password. \`POST /auth/email/verification/confirm\`, or an emailed code sent with
the access token of the account, verifies the email and removes nothing. Users who were imported from v1 keep their password.

# Rate limits

${rateLimitTable()}

These are the defaults; an app multiplies them by the factors in its setting \`rate_limits\`. The policies of an operation are in its description and, for programs, in
\`x-rate-limit\`. If a rate limit applies, the response has \`RateLimit-Policy\` (\`"client";q=${limits.rateLimits.client.limit};w=${limits.rateLimits.client.windowSeconds}\`: the quota and
its window in seconds) and \`RateLimit\` (\`"client";r=12;t=40\`: remaining calls, and seconds until more are allowed). Calls
that fail for another reason count too. Above a limit the response is 429 \`request/rate-limited\` with \`Retry-After\`.
Calls to \`/admin/settings\` are counted separately, always with the default of \`admin\`, so that a limit that was set too low
can be corrected.

An IPv4 address is counted by itself. An IPv6 address is counted by its /64, by its /56 with ${limits.widerNetworkFactor} times the limit, and by its
/48 with ${limits.widerNetworkFactor ** 2} times the limit.

Calls with an invalid app key, or with a missing or invalid token or secret key, are counted by IP address
(\`invalid-credential-ip\`); expired access tokens are not counted. Above that limit an IP address gets 429 for every app key, v1 token and secret key that has not been valid
in an earlier call.

Codes are counted by kind: sign-in, reset (in v1 too), verification and change of email. \`name+tag@host\` counts as
\`name@host\`. Above a limit by email the response is the same and no code is emailed. After ${limits.rateLimits['code-send-email'].limit} in a day, codes of one kind to
one email are limited to one in ${limits.rateLimits['code-send-email-slow'].windowSeconds / 60} minutes, but not blocked. Who gets it is drawn from the IP addresses that requested one in
the ${limits.rateLimits['code-send-email-slow'].windowSeconds / 60} minutes before, and sent with its next request; if none did, the first request gets it. Such a code works with its
\`X-Code-Flow\` only. IP addresses with more than ${limits.rateLimits['code-send-email-ip-day'].limit} requests that day have a separate draw. Clients that send the \`X-Device-Token\`,
the \`X-Code-Flow\` of an earlier sign-in or the access token of the account are counted separately from all others.

After ${limits.rateLimits['code-guesses-email-day'].limit} wrong guesses in a day at the codes of one kind for one email, only these clients can use such codes. An IP address
without a wrong guess that day has one guess more at a code that works with its \`X-Code-Flow\` only.

An app creates \`limits.sign_ups_per_hour\` accounts an hour (${number(limits.signUpsPerHour.default)} by default) without a proof of the email, and as many by
emailed codes and identity providers. Further ones are rejected with \`request/rate-limited\`. It mails \`limits.mails_to_strangers_per_hour\` codes an hour
(${number(limits.mailsToStrangersPerHour.default)} by default) to emails without an account, and as many to new emails of signed-in users. Further ones are not
emailed, and the response is the same. Each network has a share: one part in ${limits.hourlyBudget.shares} for an IPv4 address or a /64, four for an IPv4 /24 or a
/56, and sixteen for a /48. Until half of a limit is used, a network may use more than its share, but never more than this half.
Beyond a limit, networks that have used nothing in the last hour are served at one in ${limits.hourlyBudget.slowFactor} of its rate.
`.trim();

/** The codes for requests that match no operation: unknown paths, unsupported methods. */
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
