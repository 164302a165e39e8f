// A new password. The present one replaces a recent sign-in; who has none is asked for one.
import { html } from 'lit';
import { passwordField } from '../templates.js';
import { Section } from './section.js';

export class Password extends Section {
  protected readonly title = 'password';
  #isOpen = false;

  protected body() {
    const { element } = this;
    if (!this.#isOpen) {
      return html`<div>${this.button('changePassword', () => this.#open(true))}</div>`;
    }
    const minimum = this.account.methods.password.min_characters;
    return this.form((value) => this.#change(value('password'), value('current')), {
      content: html`
        <input hidden type="email" autocomplete="username" .value=${this.account.user.email} />
        ${passwordField(element, {
          name: 'current',
          label: 'currentPassword',
          optional: true,
          hint: element.text('currentPasswordHint'),
        })}
        ${passwordField(element, { label: 'newPassword', isNew: true, minimum })}
      `,
      button: 'save',
      second: this.button('cancel', () => this.#open(false)),
    });
  }

  #open(isOpen: boolean): void {
    this.change(() => {
      this.#isOpen = isOpen;
    });
  }

  #change(password: string, current: string): void {
    this.runRecent(
      async () => {
        await this.client.me.changePassword({ password, ...(current && { current_password: current }) });
        this.#open(false);
      },
      { done: 'passwordChanged', own: { 'auth/invalid-credential': 'wrongPassword' } },
    );
  }
}
