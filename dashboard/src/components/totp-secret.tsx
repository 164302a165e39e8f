// The secret of a new authenticator app: as a QR code, and as text to type.
import type { TotpEnrollment } from '@foyer/sdk';
import { Center, Stack, Text } from '@mantine/core';
import { encode } from 'uqr';
import { Copyable } from './copyable.tsx';

export function TotpSecret({ enrollment: { secret, uri } }: { enrollment: TotpEnrollment }) {
  return (
    <Stack gap="sm">
      <Text size="sm">Scan this with an authenticator app, or enter the key in it.</Text>
      <Center>
        <QrCode text={uri} />
      </Center>
      <Copyable value={secret} label="key" />
    </Stack>
  );
}

/** Dark on white in every color scheme: many cameras read no other. */
function QrCode({ text }: { text: string }) {
  const { data, size } = encode(text, { border: 3 });
  const squares = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')));
  return (
    <svg viewBox={`0 0 ${size} ${size}`} width={208} height={208} role="img" aria-label="QR code">
      <rect width={size} height={size} fill="#fff" />
      <path d={squares.join('')} fill="#000" shapeRendering="crispEdges" />
    </svg>
  );
}
