// The name of the actor of an audit entry, in words.
import { useQuery } from '@tanstack/react-query';
import { useApp } from '../current-app.tsx';
import { useMe } from '../member.ts';
import { namelessActors } from './nameless-actors.ts';

export function ActorName({ actor }: { actor: string }) {
  const { user } = useMe();
  const { app, api } = useApp();
  const own = actor === `member:${user.uid}`;
  const isNamed = /^(member|secret_key):/.test(actor);
  const { data: name } = useQuery({
    queryKey: [app.id, 'actor-name', actor],
    // Entries carry the name of their actor.
    queryFn: async ({ signal }) => {
      const { items } = await api.auditLog.list({ actor, limit: 1 }, { signal });
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
