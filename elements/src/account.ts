// `<foyer-account>`.
import type { Client } from '@foyer/sdk';
import { html, LitElement, type TemplateResult } from 'lit';

export class FoyerAccount extends LitElement {
  static override properties = { client: { attribute: false } };

  /** The client of the app. */
  declare client: Client | undefined;

  protected override render(): TemplateResult {
    return html`<section part="card"></section>`;
  }
}

if (!customElements.get('foyer-account')) customElements.define('foyer-account', FoyerAccount);
