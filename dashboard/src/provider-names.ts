// The identity providers of the app by the names that people know.
import { useQuery } from '@tanstack/react-query';
import { providerNames } from './components/provider-name.ts';
import { useApp } from './current-app.tsx';
import { roleMay } from './role-needs.ts';
import { settingsQuery } from './settings-query.ts';

/** The names by id: of the two built-in providers, and of those of the settings for a role that may read them. */
export function useProviderNames(): Map<string, string> {
  const current = useApp();
  const enabled = roleMay(current.app.role, { scope: 'settings:manage' });
  const { data } = useQuery({ ...settingsQuery(current), enabled });
  const others = Object.entries(data?.providers ?? {}).map(([id, { name }]) => [id, name] as const);
  return new Map([...Object.entries(providerNames), ...others]);
}
