// The parts of the v1 document that are not in the contract.
import { limits, V1Error, v1Contract } from '@foyer/contract';
import type { DocumentSource } from './source.js';
import { spokenErrors, v1Headers } from './v1-error-answers.js';

const introduction = `
The earlier version of the API, on the same accounts as v2. It keeps working until the app switches it off. Write new apps
for v2: its document is at \`/api/v2/openapi.json\` on the same host and explains how to move.

Every path below is relative to \`{base_url}\`.

# Requests and responses

- Every call carries the key of the app in \`X-App-Key\`. Bodies are JSON in UTF-8, sent as \`application/json\`.
- A successful response is \`{"success": true, "app": …, "data": {…}}\`. An error is \`{"message": …}\`, one sentence: branch on
  the status.
- \`POST /login\` returns a token of ${limits.v1TokenCharacters} hexadecimal characters. Send it as \`Authorization: Bearer <TOKEN>\`. It is valid until it has
  not been used for ${limits.v1TokenIdleDays} days (uses are recorded to the hour), the user signs out or deletes the account, all sign-ins of the
  account end (a reset or change of the password, signing out everywhere, disabling), or v2 exchanges it. A user has at most
  ${limits.v1TokensPerUser} tokens; the oldest end first.
- A user's \`id\` is a number, assigned when v1 first shows the user. \`first_name\` and \`last_name\` are never null: they are
  empty for a v2 user without a name. The nine parameters of the app are next to \`user\` as JSON.

# Switching off

When the app has a shutdown date, every response to a call with its key has \`Sunset\`, \`Deprecation\` and \`Link\`, including
errors and unknown paths. After that date every call returns 410.
`.trim();

const groupTexts: Record<keyof typeof v1Contract, { title: string; description: string }> = {
  accounts: {
    title: 'Accounts',
    description: 'Registering, signing in and out, resetting the password and deleting the account.',
  },
};

export const v1: DocumentSource = {
  title: 'Foyer API, the earlier version',
  version: '1',
  introduction,
  baseUrl: {
    default: 'http://localhost:3000/api/v1',
    description: 'The base URL of the service, including the version.',
  },
  groups: v1Contract,
  groupTexts,
  errorEnvelope: V1Error,
  errors: spokenErrors,
  userToken: { description: 'The token of a signed-in user: `Authorization: Bearer <TOKEN>`.' },
  headers: v1Headers,
  deprecated: true,
};
