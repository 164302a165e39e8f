// The user who owns a file or a record.
import { useApp } from '../current-app.tsx';
import { TextLink } from './links.tsx';

export function OwnerLink({ uid, none }: { uid: string | null; none: string }) {
  const { app } = useApp();
  if (uid === null) return none;
  return (
    <TextLink to="/apps/$appId/users/$uid" params={{ appId: app.id, uid }} size="sm">
      Open user
    </TextLink>
  );
}
