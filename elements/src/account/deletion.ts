// The end of the account.
import { html } from 'lit';
import { Section } from './section.js';

export class Deletion extends Section {
  protected readonly title = 'deleteAccount';
  #isAsked = false;

  protected body() {
    const { element } = this;
    const { email } = this.account.user;
    const label = element.text(this.title);
    if (!this.#isAsked) {
      return html`<p>${element.text('deleteText')}</p>
        <div>
          ${this.button('deleteAccount', () => this.#ask(true), { kind: 'danger', label: `${label}…` })}
        </div>`;
    }
    return html`<p>${element.text('deleteText')} <small>${email}</small></p>
      <div class="row start">
        ${this.button('deleteAccount', () => this.#delete(), { kind: 'danger', of: email })}
        ${this.button('cancel', () => this.#ask(false))}
      </div>`;
  }

  #ask(isAsked: boolean): void {
    this.change(() => {
      this.#isAsked = isAsked;
    });
  }

  #delete(): void {
    this.runRecent(() => this.client.me.delete());
  }
}
