// The enrolment of an authenticator app: its secret as a QR code, and the recovery codes that follow.
import type { TotpEnrollment } from '@foyer/sdk';
import { html, type TemplateResult } from 'lit';
import { encode } from 'uqr';
import type { Screen } from './screen.js';
import { button } from './templates.js';
import type { Work } from './work.js';

export function enrollment(screen: Screen, { secret, uri }: TotpEnrollment): TemplateResult {
  return html`<p>${screen.text('scan')}</p>
    ${qrCode(uri, screen.text('qrCode'))}
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

function qrCode(text: string, label: string): TemplateResult {
  const { data, size } = encode(text, { border: 2 });
  const squares = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')));
  return html`<svg class="qr" role="img" shape-rendering="crispEdges" aria-label=${label} viewBox="0 0 ${size} ${size}">
    <path d=${squares.join('')} />
  </svg>`;
}
