// The user's name.
import { html } from 'lit';
import { field } from '../templates.js';
import { Section } from './section.js';

const maxCharacters = 100;

export class Profile extends Section {
  protected readonly title = 'profile';

  protected body() {
    const { element } = this;
    const { user } = this.account;
    const name = { optional: true, maxLength: maxCharacters };
    const content = html`<div class="two">
      ${field(element, 'first_name', 'firstName', { ...name, value: user.first_name, autocomplete: 'given-name' })}
      ${field(element, 'last_name', 'lastName', { ...name, value: user.last_name, autocomplete: 'family-name' })}
    </div>`;
    return this.form(
      (value) =>
        this.run(
          async () => {
            const names = { first_name: value('first_name'), last_name: value('last_name') };
            element.showUser(await this.client.me.update(names));
          },
          { done: 'saved' },
        ),
      { content, button: 'save' },
    );
  }
}
