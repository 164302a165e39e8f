// The URL to which a provider sends users back, which is registered there.
import { Input, Text } from '@mantine/core';
import { Copyable } from '../../components/copyable.tsx';
import { TextLink } from '../../components/links.tsx';
import { useApp } from '../../current-app.tsx';

type Props = {
  provider: string;
  label: string;
  /** Of the app, on a page that does not show them. */
  redirectUris?: string[];
};

export function CallbackUrl({ provider, label, redirectUris }: Props) {
  const { app } = useApp();
  // The service serves the dashboard, so that both have one origin.
  const value = `${location.origin}/api/v2/auth/providers/${provider}/callback`;
  return (
    <Input.Wrapper
      label="Callback URL"
      description="For sign-in by redirect: register it at the provider as the redirect URI."
      labelElement="div"
    >
      <Copyable value={value} label={`callback URL of ${label}`} />
      {redirectUris && (
        <Text size="sm" c="dimmed">
          {redirectUris.length === 0
            ? 'The app has no redirect URI of its own, to which users return from the service. '
            : `From the service users return to the redirect URIs of the app: ${redirectUris.length}. `}
          <TextLink
            to="/apps/$appId/settings"
            params={{ appId: app.id }}
            search={{ section: 'providers' }}
            inherit
            underline="always"
          >
            Change redirect URIs
          </TextLink>
        </Text>
      )}
    </Input.Wrapper>
  );
}
