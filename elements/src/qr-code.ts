// A QR code as the path of an SVG image. It is a module of its own to be loaded only when an authenticator app is set up.
import { encode } from 'uqr';

/** The path of the dark squares, and the number of squares along an edge. */
export function qrCode(text: string): { path: string; size: number } {
  const { data, size } = encode(text, { border: 2 });
  const squares = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')));
  return { path: squares.join(''), size };
}
