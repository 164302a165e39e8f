// The passkeys of the user.
import { type Passkey, passkeys } from '@foyer/sdk';
import { html, nothing } from 'lit';
import { field } from '../templates.js';
import { ignoreEnded, Section } from './section.js';

const maxNameCharacters = 100;

export class Passkeys extends Section {
  protected readonly title = 'passkeys';
  #items: readonly Passkey[] = [];
  /** False where the browser has no passkeys. */
  #canAdd = false;
  #renamed: string | undefined;

  override async load(): Promise<void> {
    await this.work.run(async () => {
      this.#canAdd = this.account.methods.passkeys && (await passkeys(this.client).isAvailable());
      await this.#read();
    });
  }

  protected body() {
    if (!this.account.methods.passkeys && this.#items.length === 0) return nothing;
    const list = html`<ul part="list" aria-labelledby="section-passkeys">
      ${this.#items.map((passkey) => html`<li part="item" class="row">${this.#item(passkey)}</li>`)}
    </ul>`;
    return html`${this.#items.length > 0 ? list : html`<p>${this.element.text('noPasskeys')}</p>`}
    ${this.#canAdd ? html`<div>${this.button('addPasskey', () => this.#add())}</div>` : nothing}`;
  }

  #item(passkey: Passkey) {
    const { element } = this;
    if (this.#renamed === passkey.id) return this.#renaming(passkey);
    const { id, name, last_used_at } = passkey;
    const used = last_used_at
      ? element.text('lastUsed', { when: element.time(last_used_at) })
      : element.text('neverUsed');
    return html`<span>${name}<small>${used}</small></span>
      <span class="row start">
        ${this.button('rename', () => this.#rename(id), { of: name })}
        ${this.button('remove', () => this.#remove(id), { of: name })}
      </span>`;
  }

  #renaming({ id, name }: Passkey) {
    return this.form(
      (value) =>
        this.run(async () => {
          await passkeys(this.client).rename(id, value('name'));
          await this.#read();
          this.#rename(undefined);
        }),
      {
        content: field(this.element, 'name', 'name', { value: name, maxLength: maxNameCharacters }),
        button: 'save',
        second: this.button('cancel', () => this.#rename(undefined)),
      },
    );
  }

  #rename(id: string | undefined): void {
    this.change(() => {
      this.#renamed = id;
    });
  }

  #add(): void {
    this.runRecent(async () => {
      await passkeys(this.client).register();
      await this.#read();
    });
  }

  #remove(id: string): void {
    this.runRecent(async () => {
      await passkeys(this.client).remove(id).catch(ignoreEnded);
      await this.#read();
    });
  }

  async #read(): Promise<void> {
    this.#items = await passkeys(this.client).list().toArray({ limit: 100 });
  }
}
