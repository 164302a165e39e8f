// What the v1 document says beside the contract.
import { limits, V1Error, v1Contract } from '@foyer/contract';
import type { DocumentSource } from './document.js';
import { spokenErrors, v1Headers } from './v1-error-answers.js';

const introduction = `
The earlier version of the API, on the same accounts as v2. It goes on working until the app switches it off; new apps are
written for v2, whose document stands at \`/api/v2/openapi.json\` of the same host and tells how to move.

Every path below is relative to \`{base_url}\`, which ends in \`/api/v1\`.

# Requests and answers

- Every call carries the key of the app in \`X-App-Key\`. Bodies are JSON in UTF-8, sent as \`application/json\`.
- A successful answer is \`{"success": true, "app": …, "data": {…}}\`. An error is \`{"message": …}\`, one sentence: go by the
  status.
- \`POST /login\` answers a token of ${limits.v1TokenCharacters} hexadecimal characters. Send it as \`Authorization: Bearer <TOKEN>\`. It lives until it was not
  used for ${limits.v1TokenIdleDays} days (a use is noted to the hour), the user signs out or deletes the account, all sign-ins of the account
  end (a reset or change of the password, signing out everywhere, disabling), or v2 takes it in exchange. A user has at most
  ${limits.v1TokensPerUser} tokens; the oldest end.
- A user's \`id\` is a number, given when v1 first shows the user. \`first_name\` and \`last_name\` are never null: they are empty
  where a user of v2 gave none. The nine parameters of the app stand beside \`user\` as real JSON.

# Switching off

When the app has a shutdown date, every answer to a call with its key has \`Sunset\`, \`Deprecation\` and \`Link\`, refusals and
unknown paths too. From that second on the answer is 410, whatever is called.
`.trim();

const groupTexts: Record<keyof typeof v1Contract, { title: string; description: string }> = {
  accounts: {
    title: 'Accounts',
    description: 'Everything that v1 has: an account, its token, its password and its end.',
  },
};

export const v1: DocumentSource = {
  title: 'Foyer API, the earlier version',
  version: '1',
  introduction,
  baseUrl: {
    default: 'http://localhost:3000/api/v1',
    description: 'Where the service is reached, with the version in it.',
  },
  groups: v1Contract,
  groupTexts,
  errorEnvelope: V1Error,
  errors: spokenErrors,
  userToken: { description: 'The token of a signed-in user: `Authorization: Bearer <TOKEN>`.' },
  headers: v1Headers,
};
