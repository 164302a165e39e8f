// The enrolment of an authenticator app: its secret as a QR code, and the recovery codes that follow.
import type { TotpEnrollment } from '@foyer/sdk';
import { html, nothing, type TemplateResult } from 'lit';
import type { Screen } from './screen.js';
import { button, type Content } from './templates.js';
import type { Work } from './work.js';

/** Loaded when the first app is set up. */
let draw: typeof import('./qr-code.js').qrCode | undefined;

export function enrollment(screen: Screen, { secret, uri }: TotpEnrollment): TemplateResult {
  return html`<p>${screen.text('scan')}</p>
    ${qrCode(screen, uri)}
    <p><code part="secret" dir="ltr">${secret}</code></p>
    <p><a href=${uri}>${screen.text('openApp')}</a></p>`;
}

export function recoveryCodes(
  screen: Screen,
  codes: readonly string[],
  { work, onKept }: { work: Work; onKept: () => void },
): TemplateResult {
  const copy = () => work.run(() => navigator.clipboard.writeText(codes.join('\n')), { done: 'copied' });
  return html`<p>${screen.text('recoveryCodesText')}</p>
    <ul part="recovery-codes" class="codes" dir="ltr">
      ${codes.map((code) => html`<li><code>${code}</code></li>`)}
    </ul>
    <div class="row start">
      ${button(screen, 'kept', onKept, { kind: 'primary' })} ${button(screen, 'copy', copy)}
    </div>`;
}

/** Nothing until it is loaded. If that fails, the key and the link are enough. */
function qrCode(screen: Screen, text: string): Content {
  if (!draw) {
    void loadQrCode(screen);
    return nothing;
  }
  const { path, size } = draw(text);
  return html`<svg
    class="qr"
    role="img"
    shape-rendering="crispEdges"
    aria-label=${screen.text('qrCode')}
    viewBox="0 0 ${size} ${size}"
  >
    <path d=${path} />
  </svg>`;
}

async function loadQrCode(screen: Screen): Promise<void> {
  const loaded = await import('./qr-code.js').catch(() => undefined);
  if (!loaded) return;
  draw = loaded.qrCode;
  screen.requestUpdate();
}
