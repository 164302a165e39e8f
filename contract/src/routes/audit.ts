// The audit log, for the backend of the app.
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
      `Every admin change and every security event, newest first, retained for ${auditDays} days unless the ` +
      'operator of the service sets another time. Filters are ' +
      'combined with AND. Failures and rejections appear within about a second. Those of a known user or secret ' +
      'key have entries of their own, up to ten a minute for each target and action; the rest are counted in one ' +
      'entry, in `details.count`. Anonymous failures and rejections are counted in one entry for each network, ' +
      `action and minute; its \`ip_address\` is the first one seen, and it is retained for ${countedAuditDays} ` +
      `days.\n\n| Action | Meaning |\n|---|---|\n${actionTable}`,
    query: AuditLogQuery,
    responses: { 200: dataEnvelope(pageOf(AuditEntry)) },
    metadata: meta({ auth: 'admin', rateLimit: 'admin', scope: 'audit:read', audit: null, errors: [] }),
  },
});
