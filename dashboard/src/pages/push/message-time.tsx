// When a message was sent, or will be.
import type { PushMessage } from '@foyer/contract';
import { dateText, Time } from '../../components/time.tsx';

export function MessageTime({ message: { status, send_at, created_at } }: { message: PushMessage }) {
  const at = <Time at={send_at ?? created_at} exact={status === 'scheduled'} />;
  if (status === 'scheduled') return <>to be sent {at}</>;
  // Without "in 23 hours": nothing will happen then.
  if (status === 'cancelled') return <>cancelled; was planned for {dateText(send_at ?? created_at)}</>;
  return <>sent {at}</>;
}
