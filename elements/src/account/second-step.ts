// The authenticator app of the user and its recovery codes.
import { secondFactor, type TotpEnrollment } from '@foyer/sdk';
import { html, nothing } from 'lit';
import { enrollment, recoveryCodes } from '../authenticator-app.js';
import { codeField } from '../templates.js';
import { Section } from './section.js';

export class SecondStep extends Section {
  protected readonly title = 'secondStep';
  #begun: TotpEnrollment | undefined;
  #codes: readonly string[] | undefined;

  protected body() {
    const { element, account } = this;
    const { rule, totp, recovery_codes_left } = account.factors;
    if (this.#codes) {
      return recoveryCodes(element, this.#codes, {
        work: this.work,
        onKept: () => this.#show(undefined, undefined),
      });
    }
    if (this.#begun) return this.#enrolling(this.#begun);
    if (totp) {
      return html`<p>${element.text('secondOn', { count: recovery_codes_left })}</p>
        <div class="row start">
          ${this.button('newRecoveryCodes', () => this.#renewCodes())}
          ${this.button('removeApp', () => this.#remove())}
        </div>`;
    }
    if (rule === 'off') return nothing;
    return html`<p>${element.text('secondOff')}</p>
      <div>${this.button('setUp', () => this.#begin())}</div>`;
  }

  #enrolling(begun: TotpEnrollment) {
    return html`${enrollment(this.element, begun)}
    ${this.form(
      (value) =>
        this.run(async () => {
          const { recovery_codes } = await secondFactor(this.client).confirmTotp(value('code'));
          this.#show(undefined, recovery_codes);
          await this.element.read();
        }),
      {
        content: codeField(this.element),
        button: 'confirm',
        second: this.button('cancel', () => this.#show(undefined, undefined)),
      },
    )}`;
  }

  #show(begun: TotpEnrollment | undefined, codes: readonly string[] | undefined): void {
    this.change(() => {
      this.#begun = begun;
      this.#codes = codes;
    });
  }

  #begin(): void {
    this.runRecent(async () => this.#show(await secondFactor(this.client).beginTotp(), undefined));
  }

  #renewCodes(): void {
    this.runRecent(async () => {
      const { recovery_codes } = await secondFactor(this.client).newRecoveryCodes();
      this.#show(undefined, recovery_codes);
      await this.element.read();
    });
  }

  #remove(): void {
    this.runRecent(async () => {
      await secondFactor(this.client).removeTotp();
      await this.element.read();
    });
  }
}
