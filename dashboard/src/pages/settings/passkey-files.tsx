// The two files that a domain serves so that mobile apps may use its passkeys, with what the settings know of the apps.
import type { AppSettings } from '@foyer/contract';
import { Paper, Stack, Text } from '@mantine/core';
import { Snippet } from '../../components/snippet.tsx';

type Props = { settings: AppSettings; passkeys: NonNullable<AppSettings['passkeys']> };

export function PasskeyFiles({ settings, passkeys: { rp_id, origins } }: Props) {
  const files = [
    { path: 'apple-app-site-association', content: appleFile(settings) },
    { path: 'assetlinks.json', content: androidFile(origins) },
  ];
  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        <Text fw={600}>Files for mobile apps</Text>
        <Text size="sm" c="dimmed">
          Websites need neither. Serve them with the content type application/json and without a redirect, and
          replace what is not yours: team id and bundle id, package name and certificate.
        </Text>
        {files.map(({ path, content }) => (
          <Stack key={path} gap={4}>
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              https://{rp_id}/.well-known/{path}
            </Text>
            <Snippet text={JSON.stringify(content, null, 2)} label={path} />
          </Stack>
        ))}
      </Stack>
    </Paper>
  );
}

function appleFile({ provider_b: { team_id, bundle_ids } }: AppSettings) {
  const bundleIds = bundle_ids.length > 0 ? bundle_ids : ['com.example.app'];
  return { webcredentials: { apps: bundleIds.map((id) => `${team_id ?? 'ABCDE12345'}.${id}`) } };
}

const certificateHash = 'android:apk-key-hash:';

function androidFile(origins: readonly string[]) {
  const fingerprints = origins
    .filter((origin) => origin.startsWith(certificateHash))
    .map((origin) => fingerprintOf(origin.slice(certificateHash.length)));
  return [
    {
      relation: ['delegate_permission/common.handle_all_urls', 'delegate_permission/common.get_login_creds'],
      target: {
        namespace: 'android_app',
        package_name: 'com.example.app',
        sha256_cert_fingerprints: fingerprints.length > 0 ? fingerprints : ['AB:CD:…'],
      },
    },
  ];
}

/** A hash in base64url as the file spells it: `AB:CD:…`. */
function fingerprintOf(hash: string): string {
  const bytes = Array.from(atob(hash.replaceAll('-', '+').replaceAll('_', '/')), (byte) =>
    byte.charCodeAt(0),
  );
  return bytes.map((byte) => byte.toString(16).padStart(2, '0').toUpperCase()).join(':');
}
