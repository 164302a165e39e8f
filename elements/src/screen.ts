// What both elements have in common: the client, the language, the events, and whether the browser is online.
import { type AuthState, type Client, createClient, isFoyerError } from '@foyer/sdk';
import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { directionOf, fill, languageFor, loadTexts } from './languages.js';
import { sentenceFor } from './sentences.js';
import { styles } from './styles.js';
import type { Content } from './templates.js';
import { texts as english, type TextKey, type Texts } from './texts/en.js';
import type { Failure } from './work.js';

/** Elements with the same attributes have one client, which lives as long as the page. */
const clients = new Map<string, Client>();

/** The second click of a double click presses no button, not even one that the first click has brought up. */
const ignoreSecondClick = {
  capture: true,
  handleEvent(event: MouseEvent): void {
    if (event.detail < 2 || !(event.target as Element).closest('button')) return;
    event.preventDefault();
    event.stopPropagation();
  },
};

export abstract class Screen extends LitElement {
  static override styles = styles;
  static override properties = {
    client: { attribute: false },
    baseUrl: { attribute: 'base-url' },
    appKey: { attribute: 'app-key' },
    redirectUri: { attribute: 'redirect-uri' },
    lang: {},
    texts: { state: true },
    offline: { state: true },
  };

  /** The client of the app. Without it the attributes `base-url` and `app-key` create one. */
  declare client: Client | undefined;
  /** As in the options of `createClient`. */
  declare baseUrl: string | undefined;
  /** As in the options of `createClient`. */
  declare appKey: string | undefined;
  /** Where providers send the user back to; one of the app's `redirect_uris`. Default: the page, without its query. */
  declare redirectUri: string | undefined;
  /** @internal */
  declare texts: Texts;
  /** @internal */
  declare offline: boolean;
  /** @internal The language of the texts. */
  language = 'en';
  #wanted = 'en';
  #own: Client | undefined;
  #attached: Client | undefined;
  #stopListening: () => void = () => {};

  constructor() {
    super();
    this.texts = english;
    this.offline = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    window.addEventListener('online', this.#onConnection);
    window.addEventListener('offline', this.#onConnection);
    this.offline = !navigator.onLine;
    this.requestUpdate('client');
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.removeEventListener('online', this.#onConnection);
    window.removeEventListener('offline', this.#onConnection);
    // A framework may only move the element.
    queueMicrotask(() => {
      if (!this.isConnected) this.#attach(undefined);
    });
  }

  protected override willUpdate(changed: PropertyValues): void {
    const isGiven = changed.has('baseUrl') || changed.has('appKey');
    if (!this.client || (isGiven && this.client === this.#own)) this.client = this.#own = this.#ownClient();
    if (this.isConnected) this.#attach(this.client);
    const lang = this.lang || this.closest('[lang]')?.getAttribute('lang');
    const language = languageFor([...(lang ? [lang] : []), ...navigator.languages]);
    if (language !== this.#wanted) void this.#speak(language);
  }

  /** @internal A text in the language of the element. */
  text(key: TextKey, values: Record<string, string | number> = {}): string {
    return fill(this.texts[key], values);
  }

  /** @internal */
  sentence({ error, own }: Failure): string {
    return sentenceFor(error, this.texts, this.language, own);
  }

  /** @internal A time of the service, in the language of the element. */
  time(iso: string): string {
    const format = { dateStyle: 'medium', timeStyle: 'short' } as const;
    return new Intl.DateTimeFormat(this.language, format).format(new Date(iso));
  }

  /** @internal Where providers send the user back to. */
  get returnUrl(): string {
    return this.redirectUri ?? `${location.origin}${location.pathname}`;
  }

  protected override render(): TemplateResult {
    const { language } = this;
    return html`<div part="root" class="root" lang=${language} dir=${directionOf(language)} @click=${ignoreSecondClick}>
      <div part="card" class="${this.kind} stack">
        ${this.offline ? html`<p class="muted" role="status">${this.text('offline')}</p>` : nothing}
        ${this.content()}
      </div>
    </div>`;
  }

  protected announce(name: string, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }

  protected abstract readonly kind: 'card' | 'account';
  protected abstract content(): Content;
  /** The element has this client now, or none. */
  protected abstract attached(client: Client | undefined): void;
  protected abstract stateChanged(state: AuthState): void;
  /** The browser is online again. */
  protected abstract reconnected(): void;

  readonly #onConnection = (): void => {
    this.offline = !navigator.onLine;
    if (!this.offline) this.reconnected();
  };

  #attach(client: Client | undefined): void {
    if (client === this.#attached) return;
    this.#stopListening();
    this.#attached = client;
    this.attached(client);
    this.#stopListening = client?.auth.onStateChange((state) => this.stateChanged(state)) ?? (() => {});
  }

  #ownClient(): Client | undefined {
    const { baseUrl, appKey } = this;
    if (!baseUrl || !appKey) return undefined;
    const key = `${appKey} ${baseUrl}`;
    const client = clients.get(key) ?? createClient({ baseUrl, appKey });
    clients.set(key, client);
    return client;
  }

  async #speak(language: string): Promise<void> {
    this.#wanted = language;
    const texts = await loadTexts(language).catch(() => undefined);
    if (this.#wanted !== language) return;
    // Without a connection the next change tries again.
    if (!texts) this.#wanted = this.language;
    else {
      this.language = language;
      this.texts = texts;
    }
  }
}

/** True for a call that did not reach the service. */
export function isUnreachable(error: unknown): boolean {
  return isFoyerError(error) && /^client\/(network|timeout)$/.test(error.code);
}
