// A user of the app, by name or email, who is one click away.
import { Skeleton, Text } from '@mantine/core';
import { useApp } from '../current-app.tsx';
import { TextLink } from './links.tsx';
import { personText, usePerson } from './people.ts';

type Props = {
  uid: string | null;
  /** What is shown without a user. */
  none?: string;
};

export function PersonLink({ uid, none = 'Nobody' }: Props) {
  const { app } = useApp();
  const { data: person, isPending } = usePerson(uid);
  if (uid === null) {
    return (
      <Text span size="sm" c="dimmed">
        {none}
      </Text>
    );
  }
  if (isPending) return <Skeleton component="span" display="inline-block" h={14} w={110} title={uid} />;
  if (person === null) {
    return (
      <Text span size="sm" c="dimmed" title={uid}>
        Deleted user
      </Text>
    );
  }
  return (
    <TextLink to="/apps/$appId/users/$uid" params={{ appId: app.id, uid }} size="sm" title={uid}>
      {person ? personText(person) : 'Open user'}
    </TextLink>
  );
}
