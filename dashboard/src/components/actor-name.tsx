// The name of the actor of an audit entry, in words.
import { useQuery } from '@tanstack/react-query';
import { useApp } from '../current-app.tsx';
import { useMe } from '../member.ts';
import { namelessActors } from './nameless-actors.ts';

export function isNamedActor(reference: string): boolean {
  return /^(member|secret_key):/.test(reference);
}

/** The email of a member or the name of a key, as far as the log has an entry of it. */
export function useActorName(actor: string | null): string | null | undefined {
  const { app, api } = useApp();
  return useQuery({
    queryKey: [app.id, 'actor-name', actor],
    // Entries carry the name of their actor.
    queryFn: async ({ signal }) => {
      const { items } = await api.auditLog.list({ actor: actor ?? '', limit: 1 }, { signal });
      return items[0]?.actor_name ?? null;
    },
    enabled: actor !== null,
    staleTime: 300_000,
  }).data;
}

export function ActorName({ actor }: { actor: string }) {
  const { user } = useMe();
  const own = actor === `member:${user.uid}`;
  const isNamed = isNamedActor(actor);
  const name = useActorName(isNamed && !own ? actor : null);
  if (own) return 'you';
  if (!isNamed) return namelessActors[actor] ?? actor;
  return actor.startsWith('member:')
    ? (name ?? 'a team member')
    : `the secret key ${name ?? actor.slice(11)}`;
}
