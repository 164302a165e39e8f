// When a message was sent, or will be, and by whom.
import type { PushMessage } from '@foyer/contract';
import { ActorName } from '../../components/actor-name.tsx';
import { dateText, Time } from '../../components/time.tsx';

type Props = { message: PushMessage };

export function MessageTime({ message }: Props) {
  const { send_at, created_by } = message;
  return (
    <>
      <Sent message={message} />
      {created_by !== null && (
        <>
          {send_at === null ? ' by ' : ', scheduled by '}
          <ActorName actor={created_by} />
        </>
      )}
    </>
  );
}

function Sent({ message: { status, send_at, created_at } }: Props) {
  const at = <Time at={send_at ?? created_at} exact={status === 'scheduled'} />;
  if (status === 'scheduled') return <>to be sent {at}</>;
  // Without "in 23 hours": nothing will happen then.
  if (status === 'cancelled') return <>cancelled; was planned for {dateText(send_at ?? created_at)}</>;
  return <>sent {at}</>;
}
