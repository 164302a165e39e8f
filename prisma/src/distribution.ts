// The place of each table in a database that is distributed by app (docs/scaling.md).

/** Rows of one app, found by `app_id`. */
export const distributedTables = [
  'account_purges',
  'app_secrets',
  'audit_log',
  'codes',
  'collections',
  'config_versions',
  'daily_active_users',
  'daily_stats',
  'data_usage',
  'events',
  'files',
  'idempotency_keys',
  'identities',
  'loyalty_entries',
  'passkeys',
  'push_devices',
  'push_messages',
  'push_receipts',
  'push_topics',
  'record_index',
  'records',
  'second_factors',
  'secret_keys',
  'seen_id_tokens',
  'sessions',
  'used_passkey_challenges',
  'user_exports',
  'user_notes',
  'users',
  'v1_imports',
  'v1_tokens',
  'v2_usage',
  'webhook_deliveries',
  'webhook_endpoints',
  'webhook_replays',
];

/** Small tables, with a copy on every machine: found by other columns, or without an app. */
export const referenceTables = ['apps', 'invitations', 'scheduled_jobs', 'signing_keys', 'team_members'];
