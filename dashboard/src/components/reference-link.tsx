// Who or what a reference of the audit log names, such as `user:<uid>` or `collection:<name>`, as a link to its page.
import type { ReactNode } from 'react';
import { useApp } from '../current-app.tsx';
import { useMe } from '../member.ts';
import { TextLink } from './links.tsx';

type Props = {
  reference: string;
  /** The user of the entry, on whose page the sessions are. */
  uid: string | null;
  /** False if what it names no longer exists, as far as the service can tell. */
  exists: boolean;
  children: ReactNode;
};

export function ReferenceLink({ reference, uid, exists, children }: Props) {
  const { app } = useApp();
  const isOfTeam = useMe().console_app_id === app.id;
  const [kind = '', id = ''] = reference.split(/:(.*)/s);
  const place = isOfTeam ? null : placeOf(kind, id, exists, uid);
  if (!place) return children;
  return (
    <TextLink
      {...(place as { to: '/apps/$appId/users/$uid' })}
      params={{ appId: app.id, ...place.params } as never}
      size="sm"
    >
      {children}
    </TextLink>
  );
}

type Place = { to: string; params?: Record<string, string> };

function placeOf(kind: string, id: string, exists: boolean, uid: string | null): Place | null {
  switch (kind) {
    case 'user':
      return exists ? { to: '/apps/$appId/users/$uid', params: { uid: id } } : null;
    case 'session':
      return uid === null ? null : { to: '/apps/$appId/users/$uid', params: { uid } };
    case 'webhook':
      return exists ? { to: '/apps/$appId/webhooks/$webhookId', params: { webhookId: id } } : null;
    case 'collection':
      return { to: '/apps/$appId/data/$collection', params: { collection: id } };
    case 'push_message':
      return { to: '/apps/$appId/push/$messageId', params: { messageId: id } };
    case 'file':
      return exists ? { to: '/apps/$appId/files' } : null;
    case 'member':
    case 'invitation':
      return { to: '/apps/$appId/team' };
    case 'secret_key':
      return { to: '/apps/$appId/keys' };
    case 'config':
      return { to: '/apps/$appId/remote-config/history' };
    case 'app':
    case 'provider':
      return { to: '/apps/$appId/settings' };
    default:
      return null;
  }
}
