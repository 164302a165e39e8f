// The user's accounts at identity providers.
import { linkWithProvider } from '@foyer/sdk';
import { html, nothing } from 'lit';
import { leaveForProvider, wrongRedirectUri } from '../redirect.js';
import { Section } from './section.js';

interface Row {
  id: string;
  name: string;
  /** The linked account. */
  email: string | null | undefined;
  canLink: boolean;
}

export class Providers extends Section {
  protected readonly title = 'providers';

  protected body() {
    const { element } = this;
    const rows = this.#rows().filter(({ email, canLink }) => email !== undefined || canLink);
    if (rows.length === 0) return nothing;
    return html`<ul part="list" aria-labelledby="section-providers">
      ${rows.map(
        (row) => html`<li part="item" class="row">
          <span>${row.name}<small>${row.email === undefined ? element.text('notLinked') : row.email}</small></span>
          ${
            row.email === undefined
              ? this.button('link', () => this.#link(row.id), { of: row.name })
              : this.button('unlink', () => this.#unlink(row.id), { of: row.name })
          }
        </li>`,
      )}
    </ul>`;
  }

  /** Those of the app, and those that it no longer has but to which an account is still linked. */
  #rows(): Row[] {
    const { methods, identities } = this.account;
    const rows: Row[] = methods.providers.map(({ id, name, redirect }) => ({
      id,
      name,
      email: undefined,
      canLink: redirect,
    }));
    for (const { provider, email } of identities) {
      const row = rows.find(({ id }) => id === provider);
      if (row) row.email = email;
      else rows.push({ id: provider, name: provider, email, canLink: false });
    }
    return rows;
  }

  #link(id: string): void {
    const { returnUrl: redirectUri } = this.element;
    const leave = () => linkWithProvider(this.client, id, { redirectUri });
    this.runRecent(() => leaveForProvider(leave), { own: wrongRedirectUri });
  }

  #unlink(id: string): void {
    this.runRecent(async () => {
      await this.client.me.unlinkIdentity(id);
      await this.element.read();
    });
  }
}
