// A part of the account screen: a heading, a content, and one action at a time.
import { type Client, isFoyerError } from '@foyer/sdk';
import { html, nothing, type TemplateResult } from 'lit';
import type { OwnSentences } from '../sentences.js';
import { button, type Content, form, outcome } from '../templates.js';
import type { TextKey } from '../texts/en.js';
import { Work } from '../work.js';
import type { FoyerAccount } from './element.js';

export abstract class Section {
  protected abstract readonly title: TextKey;
  protected readonly work: Work;

  constructor(protected readonly element: FoyerAccount) {
    this.work = new Work(() => element.requestUpdate());
  }

  /** Reads what only this section shows. */
  async load(): Promise<void> {}

  render(): Content {
    const body = this.body();
    if (body === nothing) return nothing;
    const id = `section-${this.title}`;
    return html`<section part="section" aria-labelledby=${id} aria-busy=${this.work.busy}>
      <h3 part="heading" id=${id}>${this.element.text(this.title)}</h3>
      ${body} ${outcome(this.element, this.work)}
    </section>`;
  }

  protected abstract body(): Content;

  protected get client(): Client {
    return this.element.signedInClient;
  }

  protected get account() {
    return this.element.account!;
  }

  protected run(action: () => Promise<unknown>, result: { done?: TextKey; own?: OwnSentences } = {}): void {
    void this.work.run(action, result);
  }

  /** The same for what requires a recent sign-in. */
  protected runRecent(
    action: () => Promise<unknown>,
    result: { done?: TextKey; own?: OwnSentences } = {},
  ): void {
    this.run(() => this.element.withRecentSignIn(action), result);
  }

  /** Shows another state of the section. */
  protected change(update: () => void): void {
    update();
    this.work.clear();
  }

  protected button(key: TextKey, press: () => void, options?: Parameters<typeof button>[3]): TemplateResult {
    return button(this.element, key, press, options);
  }

  protected form(submit: Parameters<typeof form>[1], options: Parameters<typeof form>[2]): TemplateResult {
    return form({ screen: this.element, work: this.work }, submit, options);
  }
}

/** A device or passkey may have been removed elsewhere, after the list was read. */
export function ignoreEnded(error: unknown): void {
  if (!isFoyerError(error) || !/^auth\/(session|passkey)-not-found$/.test(error.code)) throw error;
}
