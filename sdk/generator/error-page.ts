// The text of docs/errors.md: the error codes of the contract and of the SDK.
import { type ErrorCode, errorCatalogue } from '@foyer/contract';
import { advice, clientCodes } from './error-advice.js';

type PrefixOf<C extends string> = C extends `${infer Prefix}/${string}` ? Prefix : never;

/** What the codes of a prefix are about, in the order of the page. */
const sections: Record<PrefixOf<ErrorCode>, string> = {
  auth: 'Sign-in and the account',
  request: 'Any request',
  data: 'Records',
  files: 'Files',
  push: 'Push',
  config: 'Remote config',
  loyalty: 'Points',
  admin: 'Your backend',
  webhooks: 'Webhooks',
  console: 'The dashboard',
};

export function errorPage(): string {
  const own = Object.entries(clientCodes).map(([code, { message, advice: todo }]) =>
    row(code, code === 'client/bad-response' ? 'any' : 0, message, todo),
  );
  const codes = Object.keys(errorCatalogue) as ErrorCode[];
  const parts = Object.entries(sections).map(([prefix, title]) => {
    const rows = codes
      .filter((code) => code.startsWith(`${prefix}/`))
      .map((code) => row(code, errorCatalogue[code].status, errorCatalogue[code].message, advice[code]));
    return `## ${title}\n\n${table(rows)}`;
  });
  return [introduction, `## The SDK itself\n\n${table(own)}`, ...parts].join('\n');
}

function row(...[code, status, message, todo]: [string, number | 'any', string, string]): string {
  return `| \`${code}\` | ${status} | ${message} | ${todo} |\n`;
}

function table(rows: string[]): string {
  return `| code | status | what it means | what to do |\n|---|---|---|---|\n${rows.join('')}`;
}

const introduction = `<!-- Generated from the contract by \`npm run generate\`. Do not edit. -->
# Errors

Every call to the service that fails rejects with a \`FoyerError\`. Branch on \`code\`; \`message\` is for logs. \`status\` is
the HTTP status, or 0 when there was no response. A later version of the service may add codes, so handle an unknown one as
"try again later".

\`\`\`ts
import { type Client, isFoyerError } from '@foyer/sdk';

export async function signIn(client: Client, email: string, password: string): Promise<string> {
  try {
    await client.auth.signIn({ email, password });
    return 'Welcome.';
  } catch (error) {
    if (isFoyerError(error, 'auth/invalid-credential')) return 'The email or the password is wrong.';
    if (isFoyerError(error, 'request/rate-limited')) {
      return \`Too many attempts. Try again in \${Math.ceil((error.retryAfterMs ?? 60_000) / 1_000)} seconds.\`;
    }
    if (isFoyerError(error, 'client/network')) return 'You are offline.';
    throw error;
  }
}
\`\`\`

\`structuredClone\`, \`postMessage\`, workers and Electron keep only the name and the message of an error. Send a copy with the code, which
\`isFoyerError\` accepts too:

\`\`\`ts
import { isFoyerError } from '@foyer/sdk';

export const cloneable = (error: unknown) =>
  isFoyerError(error) ? { ...error, message: error.message } : error;
\`\`\`

\`fields\` has the messages for each invalid field, and is \`{}\` when there are none. \`requestId\` identifies the request in
the logs of the service. Calls that read, replace or delete, other than an app's queries of records, are retried twice after
\`client/network\`, \`client/timeout\`, \`client/bad-response\` and the statuses 408, 429 and 5xx, except \`*/query-timeout\`.
`;
