// The end of the account.
import { html } from 'lit';
import { Section } from './section.js';

export class Deletion extends Section {
  protected readonly title = 'deleteAccount';
  #isAsked = false;

  protected body() {
    const { element } = this;
    const { email } = this.account.user;
    return html`<p>${element.text('deleteText')}</p>
      <div class="row start">
        ${
          this.#isAsked
            ? html`${this.button('deleteAccount', () => this.#delete(), { kind: 'danger', label: `${element.text('deleteAccount')}: ${email}` })}
              ${this.button('cancel', () => this.#ask(false))}`
            : this.button('deleteAccount', () => this.#ask(true), {
                kind: 'danger',
                label: `${element.text('deleteAccount')}…`,
              })
        }
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
