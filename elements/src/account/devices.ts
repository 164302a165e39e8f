// The sessions of the user.
import type { SessionInfo } from '@foyer/sdk';
import { html, nothing } from 'lit';
import { ignoreEnded, Section } from './section.js';

const pageSize = 10;

export class Devices extends Section {
  protected readonly title = 'devices';
  #sessions: readonly SessionInfo[] = [];
  #next: string | null = null;

  override async load(): Promise<void> {
    await this.work.run(() => this.#read());
  }

  protected body() {
    const { element } = this;
    const others = this.#sessions.filter(({ current }) => !current);
    return html`<ul part="list" aria-labelledby="section-devices">
        ${this.#sessions.map((session) => this.#item(session))}
      </ul>
      ${
        this.#next === null
          ? nothing
          : html`<div>${this.button('showMore', () => this.run(() => this.#readMore()))}</div>`
      }
      ${
        others.length < 2
          ? nothing
          : html`<div>${this.button('signOutOthers', () => this.run(() => this.#endOthers()), { of: element.text('devices') })}</div>`
      }`;
  }

  #item(session: SessionInfo) {
    const { element } = this;
    const name = this.#nameOf(session);
    return html`<li part="item" class="row">
      <span>
        ${name}
        <small>
          ${session.current ? element.text('thisDevice') : element.text('lastUsed', { when: element.time(session.last_used_at) })}
        </small>
      </span>
      ${session.current ? nothing : this.button('signOut', () => this.run(() => this.#end(session.id)), { of: name })}
    </li>`;
  }

  #nameOf({ device: { name, browser, os } }: SessionInfo): string {
    if (name) return name;
    if (browser && os) return this.element.text('browserOn', { browser, os });
    return browser ?? os ?? this.element.text('unknownDevice');
  }

  async #read(): Promise<void> {
    const { items, next_cursor } = await this.client.me.sessions({ limit: pageSize });
    this.#sessions = items;
    this.#next = next_cursor;
  }

  async #readMore(): Promise<void> {
    if (this.#next === null) return;
    const { items, next_cursor } = await this.client.me.sessions({ limit: pageSize, cursor: this.#next });
    this.#sessions = [...this.#sessions, ...items];
    this.#next = next_cursor;
  }

  async #end(...ids: string[]): Promise<void> {
    for (const id of ids) await this.client.me.endSession(id).catch(ignoreEnded);
    await this.#read();
  }

  /** All of them, also those that are not on the screen yet. */
  async #endOthers(): Promise<void> {
    const ids: string[] = [];
    for await (const { id, current } of this.client.me.sessions({ limit: 100 })) if (!current) ids.push(id);
    await this.#end(...ids);
  }
}
