// One owner for each table: which module writes and locks its rows, in SQL or through its Prisma model.
import { expect, test } from 'vitest';
import { sourcesOf, withoutComments } from './import-graph.js';

const server = [...sourcesOf('server/src'), ...sourcesOf('server/engines')];

/** Files outside the module `owner` that write or lock rows of a table, in SQL or through its Prisma model. */
function writersOf(table: string, model: string, owner: string): string[] {
  const writes = new RegExp(
    `(INSERT INTO|UPDATE|DELETE FROM) ${table}\\b|FROM ${table}\\b[^;\`]*FOR (NO KEY )?UPDATE|deleteOldestOf\\('${table}'|` +
      `\\.${model}\\.(create|update|upsert|delete)\\w*\\(`,
  );
  const own = new RegExp(`^server/(src|engines)/${owner}/`);
  const files = server.filter(({ path }) => !own.test(path));
  return files.filter(({ text }) => writes.test(withoutComments(text))).map(({ path }) => path);
}

test('rows of users are written and locked only by accounts, and their v1 id by sign-up', () => {
  expect(writersOf('users', 'user', 'none')).toEqual([
    'server/src/accounts/account.ts',
    'server/src/accounts/update-fragments.ts',
    'server/src/accounts/write-user.ts',
    'server/src/sign-up/store.ts',
  ]);
});

test.each([
  ['sessions', 'session'],
  ['codes', 'code'],
  ['identities', 'identity'],
  ['user_notes', 'userNote', 'support'],
  ['user_exports', 'userExport', 'user-export'],
  ['loyalty_entries', 'loyaltyEntry', 'loyalty'],
  ['v1_tokens', 'v1Token', 'v1-tokens'],
  ['v1_imports', 'v1Import', 'v1/import'],
  ['account_purges', 'accountPurge', 'profile'],
  ['passkeys', 'passkey'],
  ['used_passkey_challenges', 'usedPasskeyChallenge', 'passkeys'],
  ['seen_id_tokens', 'seenIdToken', 'identities'],
  ['v2_usage', 'v2Usage', 'v1/api'],
  ['daily_stats', 'dailyStat', 'stats'],
  ['daily_active_users', 'dailyActiveUser', 'stats'],
  ['push_devices', 'pushDevice', 'push'],
  ['push_messages', 'pushMessage', 'push'],
  ['files', 'file'],
  ['records', 'record', 'data'],
  ['collections', 'collection', 'data'],
  ['data_usage', 'dataUsage', 'data'],
  ['push_topics', 'pushTopic', 'push'],
  ['push_receipts', 'pushReceipt', 'push'],
  ['record_index', 'recordIndex', 'data'],
  ['webhook_replays', 'webhookReplay', 'webhooks'],
  ['webhook_endpoints', 'webhookEndpoint', 'webhooks'],
  ['webhook_deliveries', 'webhookDelivery', 'webhooks'],
  ['idempotency_keys', 'idempotencyKey', 'idempotency'],
  ['signing_keys', 'signingKey', 'tokens'],
  ['secret_keys', 'secretKey', 'apps'],
  ['app_secrets', 'appSecret', 'apps'],
  ['config_versions', 'configVersion', 'remote-config'],
  ['scheduled_jobs', 'scheduledJob', 'schedule'],
  ['team_members', 'teamMember', 'console'],
  ['invitations', 'invitation', 'console'],
])('rows of %s are written and locked only by their module', (table, model, owner = table) => {
  expect(writersOf(table, model, owner)).toEqual([]);
});

test.each([
  ['audit_log', 'auditLog', 'audit', []],
  [
    'events',
    'event',
    'events',
    ['server/src/webhooks/dispatch/store.ts', 'server/src/webhooks/endpoints/store.ts'],
  ],
  ['apps', 'app', 'apps', ['server/src/model/app.ts']],
])('rows of %s are written outside their module only where listed', (table, model, owner, others) => {
  expect(writersOf(table, model, owner)).toEqual(others);
});
