// When a message was sent, or will be.
import type { PushMessage } from '@foyer/contract';
import { Time } from '../../components/time.tsx';

export function MessageTime({ message: { status, send_at, created_at } }: { message: PushMessage }) {
  const at = <Time at={send_at ?? created_at} exact={status === 'scheduled'} />;
  if (status === 'scheduled') return <>to be sent {at}</>;
  return status === 'cancelled' ? <>was to be sent {at}</> : <>sent {at}</>;
}
