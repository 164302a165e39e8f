// The router: one line per contract group, with the module that implements it. A missing endpoint is a compile error.
import { contract, v1Contract } from '@foyer/contract';
import { initServer } from '@ts-rest/express';
import { adminUserRoutes } from './admin-users/routes.js';
import { appFileRoutes } from './app-files/routes.js';
import { keyRoutes } from './apps/routes.js';
import { auditRoutes } from './audit/routes.js';
import { consoleRoutes, invitationRoutes } from './console/routes.js';
import { collectionRoutes } from './data/collections/routes.js';
import { dataRoutes } from './data/records/routes.js';
import type { Deps } from './deps.js';
import { allFilesRoutes, fileBytesRoutes, fileRoutes } from './files/routes.js';
import { identityRoutes } from './identities/routes.js';
import { loyaltyEntryRoutes, loyaltyRoutes } from './loyalty/routes.js';
import { passkeyRoutes } from './passkeys/routes.js';
import { passwordRoutes } from './passwords/routes.js';
import { profileRoutes } from './profile/routes.js';
import { pushRoutes } from './push/devices/routes.js';
import { pushMessageRoutes } from './push/messages/routes.js';
import { configVersionRoutes, remoteConfigRoutes } from './remote-config/routes.js';
import { secondFactorRoutes } from './second-factor/routes.js';
import { sessionRoutes, tokenVerificationRoutes } from './sessions/routes.js';
import { settingsCheckRoutes, settingsRoutes } from './settings/routes.js';
import { signInRoutes } from './sign-in/routes.js';
import { statsRoutes } from './stats/routes.js';
import { supportRoutes } from './support/routes.js';
import { tokenRoutes } from './tokens/routes.js';
import { userExportRoutes } from './user-export/routes.js';
import { migrationRoutes, v1AccountRoutes, v1ExchangeRoutes } from './v1/api/routes.js';
import { webhookRoutes } from './webhooks/routes.js';

export function routers(deps: Deps) {
  return initServer().router(contract, {
    signIn: signInRoutes(deps),
    passwords: passwordRoutes(deps),
    passkeys: passkeyRoutes(deps),
    sessions: sessionRoutes(deps),
    profile: profileRoutes(deps),
    push: pushRoutes(deps),
    pushMessages: pushMessageRoutes(deps),
    identities: identityRoutes(deps),
    secondFactor: secondFactorRoutes(deps),
    v1Exchange: v1ExchangeRoutes(deps),
    loyalty: loyaltyRoutes(deps),
    loyaltyEntries: loyaltyEntryRoutes(deps),
    remoteConfig: remoteConfigRoutes(deps),
    tokens: tokenRoutes(deps),
    tokenVerification: tokenVerificationRoutes(deps),
    files: fileRoutes(deps),
    fileBytes: fileBytesRoutes(deps),
    allFiles: allFilesRoutes(deps),
    apps: settingsRoutes(deps),
    appFiles: appFileRoutes(deps),
    settingsChecks: settingsCheckRoutes(deps),
    keys: keyRoutes(deps),
    configVersions: configVersionRoutes(deps),
    users: adminUserRoutes(deps),
    support: supportRoutes(deps),
    userExport: userExportRoutes(deps),
    stats: statsRoutes(deps),
    migration: migrationRoutes(deps),
    audit: auditRoutes(deps),
    webhooks: webhookRoutes(deps),
    data: dataRoutes(deps),
    collections: collectionRoutes(deps),
    console: consoleRoutes(deps),
    invitations: invitationRoutes(deps),
  });
}

export function v1Routers(deps: Deps) {
  return initServer().router(v1Contract, { accounts: v1AccountRoutes(deps) });
}
