// The identity providers of the app by the names that people know.
import { useQuery } from '@tanstack/react-query';
import { providerNames } from './components/provider-name.ts';
import { useApp } from './current-app.tsx';
import { settingsQuery } from './settings-query.ts';

/** The names by id: of the two built-in providers, and of those of the settings as soon as they are read. */
export function useProviderNames(): Map<string, string> {
  const { data } = useQuery(settingsQuery(useApp()));
  const others = Object.entries(data?.providers ?? {}).map(([id, { name }]) => [id, name] as const);
  return new Map([...Object.entries(providerNames), ...others]);
}
