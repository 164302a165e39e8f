// The audit log, for the backend of the app. Conventions of the API, "Admin".
import { initContract } from '@ts-rest/core';
import { auditActions } from '../audit-actions.js';
import { auditDays, countedAuditDays } from '../limits.js';
import { meta } from '../metadata.js';
import { AuditEntry, AuditLogQuery } from '../schemas/audit.js';
import { dataEnvelope, pageOf } from '../schemas/envelopes.js';

const c = initContract();

const actionTable = Object.entries(auditActions)
  .map(([action, meaning]) => `| \`${action}\` | ${meaning} |`)
  .join('\n');

export const audit = c.router({
  list: {
    method: 'GET',
    path: '/admin/audit-log',
    summary: 'Read the audit log',
    description:
      `Every admin write and every security event, newest first, kept for ${auditDays} days. Filters narrow each other ` +
      'down. Failures and refusals appear within about a second. Those that name a user or a secret key have entries of ' +
      'their own, up to ten a minute for each target and action; further ones are counted in one entry, by ' +
      '`details.count`. Those that name nobody are counted in one entry for each network, action and minute, whose ' +
      `\`ip_address\` is the first one seen, and which is kept for ${countedAuditDays} days.\n\n| Action | Meaning |\n|---|---|\n${actionTable}`,
    query: AuditLogQuery,
    responses: { 200: dataEnvelope(pageOf(AuditEntry)) },
    metadata: meta({ auth: 'admin', rateLimit: 'admin', scope: 'audit:read', audit: null, errors: [] }),
  },
});
