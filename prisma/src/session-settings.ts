// What every statement of the service relies on, whatever the server, the database or the role has set: applied when a session
// opens, and only compared behind a connection pooler, where a setting would remain on a connection that others use too.

/** The one schema of our tables: of Prisma's statements, which name it, and of all others, which find it by `search_path`. */
export const tableSchema = 'public';

type SessionSetting = {
  name: string;
  value: string;
  /** Some releases of PostgreSQL do not have the setting. */
  optional?: true;
  /** Behind a pooler: another value makes statements fail or lie, or delays and costs at most. */
  elsewhere: 'required' | 'warned about' | 'ignored';
};

export const sessionSettings: SessionSetting[] = [
  { name: 'search_path', value: tableSchema, elsewhere: 'required' },
  // Above it, of two concurrent writes to a row one fails where our statements expect it to wait and see the other's.
  { name: 'default_transaction_isolation', value: 'read committed', elsewhere: 'required' },
  // The literals of our statements, and values that are sent and returned as text.
  { name: 'standard_conforming_strings', value: 'on', elsewhere: 'required' },
  { name: 'transform_null_equals', value: 'off', elsewhere: 'required' },
  { name: 'array_nulls', value: 'on', elsewhere: 'required' },
  { name: 'bytea_output', value: 'hex', elsewhere: 'ignored' },
  { name: 'IntervalStyle', value: 'postgres', elsewhere: 'ignored' },
  { name: 'extra_float_digits', value: '1', elsewhere: 'ignored' },
  { name: 'row_security', value: 'on', elsewhere: 'ignored' },
  // A search for users would miss some of them at random.
  { name: 'gin_fuzzy_search_limit', value: '0', elsewhere: 'warned about' },
  // Waits are limited by `statement_timeout` and the pool's own limits.
  { name: 'lock_timeout', value: '0', elsewhere: 'warned about' },
  { name: 'idle_session_timeout', value: '0', elsewhere: 'ignored' },
  { name: 'transaction_timeout', value: '0', optional: true, elsewhere: 'warned about' },
  // Nobody reads notices.
  { name: 'client_min_messages', value: 'warning', elsewhere: 'ignored' },
];

/** A SELECT list: each setting in effect, by its name. `own` is an expression. */
export function settingsList(own: string): string {
  return sessionSettings
    .map(({ name, value, optional }) => {
      const missing = optional ? `WHEN current_setting('${name}', true) IS NULL THEN NULL ` : '';
      return `CASE ${missing}WHEN ${own} THEN set_config('${name}', '${value}', false)
        ELSE current_setting('${name}') END AS "${name}"`;
    })
    .join(',\n    ');
}

export type SettingsInEffect = Record<string, string | null> & {
  /** The first schema of the search path that exists. */
  schema: string | null;
};

/** Behind a pooler: what must be changed for the role, and what should be. */
export function foreignSettings(
  state: SettingsInEffect,
  role: string | undefined,
): { refused: string[]; warned: string[] } {
  const differing = sessionSettings.filter(({ name, value }) =>
    name === 'search_path' ? state.schema !== value : (state[name] ?? value) !== value,
  );
  const sentences = (kind: SessionSetting['elsewhere']) =>
    differing
      .filter(({ elsewhere }) => elsewhere === kind)
      .map(
        ({ name, value }) =>
          `behind the connection pooler ${name} is ${state[name]}; run ALTER ROLE "${role}" SET ${name} = '${value}', and ` +
          'let the pooler open new connections',
      );
  return { refused: sentences('required'), warned: sentences('warned about') };
}
