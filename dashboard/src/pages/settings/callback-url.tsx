// The URL to which a provider sends users back, which is registered there.
import { Input } from '@mantine/core';
import { Copyable } from '../../components/copyable.tsx';

export function CallbackUrl({ provider, label }: { provider: string; label: string }) {
  // The service serves the dashboard, so that both have one origin.
  const value = `${location.origin}/api/v2/auth/providers/${provider}/callback`;
  return (
    <Input.Wrapper
      label="Callback URL"
      description="For sign-in by redirect: register it at the provider as the redirect URI."
      labelElement="div"
    >
      <Copyable value={value} label={`callback URL of ${label}`} />
    </Input.Wrapper>
  );
}
