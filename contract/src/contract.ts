// The contract of the v2 API (`{base_url}`, which includes /api/v2): its groups of routes, and what all routes share.
import { type AppRouter, initContract } from '@ts-rest/core';
import * as z from 'zod';
import { ErrorEnvelope } from './errors.js';
import type { EndpointMetadata } from './metadata.js';
import { allFiles } from './routes/all-files.js';
import { appFiles } from './routes/app-files.js';
import { apps } from './routes/apps.js';
import { audit } from './routes/audit.js';
import { collections } from './routes/collections.js';
import { configVersions } from './routes/config-versions.js';
import { consoleRoutes } from './routes/console.js';
import { data } from './routes/data.js';
import { fileBytes } from './routes/file-bytes.js';
import { files } from './routes/files.js';
import { identities } from './routes/identities.js';
import { invitations } from './routes/invitations.js';
import { keys } from './routes/keys.js';
import { loyalty } from './routes/loyalty.js';
import { loyaltyEntries } from './routes/loyalty-entries.js';
import { migration } from './routes/migration.js';
import { passkeys } from './routes/passkeys.js';
import { passwords } from './routes/passwords.js';
import { profile } from './routes/profile.js';
import { push } from './routes/push.js';
import { pushMessages } from './routes/push-messages.js';
import { remoteConfig } from './routes/remote-config.js';
import { secondFactor } from './routes/second-factor.js';
import { sessions } from './routes/sessions.js';
import { settingsChecks } from './routes/settings-checks.js';
import { signIn } from './routes/sign-in.js';
import { stats } from './routes/stats.js';
import { support } from './routes/support.js';
import { tokenVerification } from './routes/token-verification.js';
import { tokens } from './routes/tokens.js';
import { userExport } from './routes/user-export.js';
import { users } from './routes/users.js';
import { v1Exchange } from './routes/v1-exchange.js';
import { webhooks } from './routes/webhooks.js';

const c: ReturnType<typeof initContract> = initContract();

type Routes = Record<string, { metadata: EndpointMetadata }>;

const groups = {
  signIn,
  passwords,
  passkeys,
  sessions,
  profile,
  push,
  pushMessages,
  identities,
  secondFactor,
  v1Exchange,
  tokens,
  tokenVerification,
  files,
  fileBytes,
  allFiles,
  apps,
  appFiles,
  settingsChecks,
  keys,
  stats,
  migration,
  audit,
  loyalty,
  loyaltyEntries,
  remoteConfig,
  configVersions,
  users,
  support,
  userExport,
  webhooks,
  data,
  collections,
  console: consoleRoutes,
  invitations,
} satisfies Record<string, Routes>;

const options = {
  strictStatusCodes: true,
  commonResponses: {
    400: ErrorEnvelope,
    401: ErrorEnvelope,
    403: ErrorEnvelope,
    404: ErrorEnvelope,
    408: ErrorEnvelope,
    409: ErrorEnvelope,
    412: ErrorEnvelope,
    413: ErrorEnvelope,
    415: ErrorEnvelope,
    416: ErrorEnvelope,
    422: ErrorEnvelope,
    428: ErrorEnvelope,
    429: ErrorEnvelope,
    500: ErrorEnvelope,
    503: ErrorEnvelope,
  },
} as const;

type Contract = ReturnType<typeof c.router<typeof groups, '', typeof options>>;

export const contract: Contract = c.router(withQueries(groups), options);

/** The same routes; those without query parameters reject all query parameters. */
function withQueries<Groups extends Record<string, AppRouter>>(from: Groups): Groups {
  const noParameters = z.strictObject({});
  const withQuery = (routes: AppRouter) =>
    Object.entries(routes).map(([name, route]) => [name, { query: noParameters, ...route }]);
  return Object.fromEntries(
    Object.entries(from).map(([name, routes]) => [name, Object.fromEntries(withQuery(routes))]),
  ) as Groups;
}
