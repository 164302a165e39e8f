// Who did something, as the audit log names actors, in words.
import { useQuery } from '@tanstack/react-query';
import { dataOf } from '../api.ts';
import { useApp } from '../current-app.tsx';
import { useMe } from '../member.ts';

/** The actors without a name of their own. */
export const namelessActors: Readonly<Record<string, string>> = {
  system: 'the service',
  service: 'the service',
  command_line: 'the command line',
  anonymous: 'an anonymous caller',
};

export function ActorName({ actor }: { actor: string }) {
  const { user } = useMe();
  const { app, api } = useApp();
  const own = actor === `member:${user.uid}`;
  const isNamed = /^(member|secret_key):/.test(actor);
  const { data: name } = useQuery({
    queryKey: [app.id, 'actor-name', actor],
    // Entries carry the name of their actor.
    queryFn: async ({ signal }) => {
      const { items } = await dataOf(
        api.audit.list({ query: { actor, limit: 1 }, fetchOptions: { signal } }),
      );
      return items[0]?.actor_name ?? null;
    },
    enabled: isNamed && !own,
    staleTime: 300_000,
  });
  if (own) return 'you';
  if (!isNamed) return namelessActors[actor] ?? actor;
  return actor.startsWith('member:')
    ? (name ?? 'a team member')
    : `the secret key ${name ?? actor.slice(11)}`;
}
