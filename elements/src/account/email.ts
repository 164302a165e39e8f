// The user's email: its confirmation, and the change to another one, which is confirmed there.
import { html, nothing } from 'lit';
import { codeField, field } from '../templates.js';
import { Section } from './section.js';

type Step = { name: 'shown' | 'change' } | { name: 'code'; email: string };

export class Email extends Section {
  protected readonly title = 'email';
  #step: Step = { name: 'shown' };

  protected body() {
    if (this.#step.name === 'change') return this.#change();
    if (this.#step.name === 'code') return this.#code(this.#step.email);
    const { user } = this.account;
    return html`<p>
        ${user.email}
        ${user.email_verified ? nothing : html`<small>${this.element.text('unconfirmed')}</small>`}
      </p>
      <div class="row start">
        ${user.email_verified ? nothing : this.button('confirm', () => this.#sendCode(), { of: user.email })}
        ${this.button('changeEmail', () => this.#go({ name: 'change' }))}
      </div>`;
  }

  #go(step: Step): void {
    this.change(() => {
      this.#step = step;
    });
  }

  #sendCode(): void {
    this.run(async () => {
      await this.client.auth.verification.send();
      this.#go({ name: 'code', email: this.account.user.email });
    });
  }

  #change() {
    const email = field(this.element, 'email', 'newEmail', { type: 'email', autocomplete: 'email' });
    return this.form(
      (value) =>
        this.runRecent(async () => {
          await this.client.me.changeEmail(value('email'));
          this.#go({ name: 'code', email: value('email') });
        }),
      {
        content: email,
        button: 'sendCode',
        second: this.button('cancel', () => this.#go({ name: 'shown' })),
      },
    );
  }

  #code(email: string) {
    return html`<p>${this.element.text('codeSent', { email })}</p>
      ${this.form(
        (value) =>
          this.run(
            async () => {
              this.element.showUser(await this.client.auth.verification.confirm(value('code')));
              this.#go({ name: 'shown' });
            },
            { done: 'emailChanged' },
          ),
        {
          content: codeField(this.element),
          button: 'confirm',
          second: this.button('cancel', () => this.#go({ name: 'shown' })),
        },
      )}`;
  }
}
