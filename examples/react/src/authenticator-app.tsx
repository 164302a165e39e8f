// The authenticator app of a user: its secret as a QR code, the first code, and the recovery codes.
import type { TotpEnrollment } from '@foyer/sdk';
import { encode } from 'uqr';
import { Form } from './action';

export function TotpSetup(props: { enrollment: TotpEnrollment; onCode: (code: string) => Promise<unknown> }) {
  const { secret, uri } = props.enrollment;
  return (
    <>
      <p>Scan this with an authenticator app, or enter the key in it.</p>
      <QrCode text={uri} />
      <p>
        <code className="secret">{secret}</code> <a href={uri}>Open the app on this device</a>
      </p>
      <Form submit="Confirm" onSubmit={(field) => props.onCode(field('totp'))}>
        <label>
          Code that the app shows
          <input name="totp" inputMode="numeric" autoComplete="one-time-code" required />
        </label>
      </Form>
    </>
  );
}

/** Drawn here, since a web service that draws it would learn the secret. Dark on white: many cameras read no other. */
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

export function RecoveryCodes(props: { codes: readonly string[]; onDone: () => void }) {
  return (
    <section>
      <h2>Recovery codes</h2>
      <p>
        Each of them replaces the authenticator app once, if you lose it. They are not shown again: store them
        now.
      </p>
      <ul className="codes" aria-label="Recovery codes">
        {props.codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <button type="button" className="primary" onClick={props.onDone}>
        I have stored them
      </button>
    </section>
  );
}
