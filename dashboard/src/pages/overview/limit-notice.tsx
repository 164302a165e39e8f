// Above the figures, while sign-ups or mails are being rejected: an attack looks like a quiet day otherwise.
import { Alert, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ShieldAlertIcon } from 'lucide-react';
import { TextLink } from '../../components/links.tsx';
import { useApp } from '../../current-app.tsx';
import { serviceNow } from '../../service-clock.ts';

const action = 'app.limit_reached';
const dayMilliseconds = 86_400_000;

export function LimitNotice() {
  const { app, api } = useApp();
  const query = useQuery({
    queryKey: [app.id, 'limits-reached'],
    queryFn: async ({ signal }) => {
      const created_after = new Date(serviceNow() - dayMilliseconds).toISOString();
      const query = { action, created_after, limit: 25 };
      return (await api.auditLog.list(query, { signal })).items;
    },
    refetchInterval: 60_000,
  });
  const reached = query.data ?? [];
  if (reached.length === 0) return null;
  const hasNotices = reached.some(({ details }) => details.limit === 'notice-app');
  const others = reached.filter(({ details }) => details.limit !== 'notice-app');
  const isFull = others.some(({ details }) => details.reached_by !== 'network');
  return (
    <Alert
      color="yellow"
      icon={<ShieldAlertIcon size={20} />}
      title="Hourly limits were reached in the last day"
      mb="lg"
    >
      <Text size="sm">
        {hasNotices &&
          'The app used up its notices of changes by the backend and the team. Further ones were not mailed until the hour had passed. '}
        {others.length > 0 &&
          (isFull
            ? 'The app used up its sign-ups, or its codes to emails without an account. New networks are served more slowly until the hour has passed. '
            : 'Single networks used more than their share of the sign-ups, or of the codes to emails without an account. Others are unaffected. ')}
        <TextLink to="/apps/$appId/audit-log" params={{ appId: app.id }} search={{ action }}>
          Show in the audit log
        </TextLink>
      </Text>
    </Alert>
  );
}
