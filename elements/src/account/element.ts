// `<foyer-account>`: what users see and change of their account.
import {
  type AuthState,
  type Client,
  type Factors,
  type Identity,
  isFoyerError,
  type SignInMethods,
  type SignOutReason,
  secondFactor,
  signInMethods,
  type User,
} from '@foyer/sdk';
import { html } from 'lit';
import { completeInAccount } from '../redirect.js';
import { isUnreachable, Screen } from '../screen.js';
import { button, type Content, outcome } from '../templates.js';
import { Work } from '../work.js';
import { Confirmation } from './confirmation.js';
import { DataExport } from './data-export.js';
import { Deletion } from './deletion.js';
import { Devices } from './devices.js';
import { Email } from './email.js';
import { Passkeys } from './passkeys.js';
import { Password } from './password.js';
import { Profile } from './profile.js';
import { Providers } from './providers.js';
import { SecondStep } from './second-step.js';
import type { Section } from './section.js';

/** The detail of the event `foyer-signed-out`. */
export interface SignedOutDetail {
  /** As in the state of the client: `user`, `deleted`, `revoked` or `other-context`. */
  reason: SignOutReason | undefined;
}

/** What the sections show of the user, besides lists of their own. */
export interface Account {
  user: User;
  methods: SignInMethods;
  factors: Factors;
  identities: readonly Identity[];
}

/**
 * The account screen of the signed-in user.
 *
 * @fires foyer-signed-out when the session ends: signed out, deleted, or ended elsewhere.
 */
export class FoyerAccount extends Screen {
  static override properties = { ...Screen.properties, account: { state: true } };

  /** @internal Undefined until it is read. */
  declare account: Account | undefined;
  /** @internal Asks for a recent sign-in. */
  readonly confirmation = new Confirmation(this);
  protected readonly kind = 'account';
  readonly #work = new Work(() => this.requestUpdate());
  #sections: readonly Section[] = [];
  #uid: string | undefined;

  /** @internal The client, of which there is one wherever a section is shown. */
  get signedInClient(): Client {
    return this.client!;
  }

  /** @internal Reads the account again after a change. */
  async read(): Promise<void> {
    const client = this.signedInClient;
    const [user, methods, factors, identities] = await Promise.all([
      client.me.get(),
      signInMethods(client),
      secondFactor(client).get(),
      client.me.identities().toArray({ limit: 100 }),
    ]);
    if (this.#isSignedIn(client, user.uid)) this.account = { user, methods, factors, identities };
  }

  /** @internal Shows the user as a change has returned it. */
  showUser(user: User): void {
    if (this.account?.user.uid === user.uid) this.account = { ...this.account, user };
  }

  /**
   * @internal Runs what requires a recent sign-in; where the service demands one, the user is asked for it, and the work is run
   * once more.
   */
  async withRecentSignIn<T>(work: () => Promise<T>): Promise<T> {
    const uid = this.#uid;
    try {
      return await work();
    } catch (error) {
      if (!isFoyerError(error, 'auth/requires-recent-login') || uid !== this.#uid) throw error;
      if (!(await this.confirmation.ask())) throw error;
      return work();
    }
  }

  protected override attached(client: Client | undefined): void {
    this.#forget();
    if (client) void this.#work.run(() => completeInAccount(client)).then(() => this.#open());
  }

  protected override stateChanged(state: AuthState): void {
    if (state.status === 'signedIn') {
      // Another user may have signed in in another tab.
      if (this.#uid !== undefined && this.#uid !== state.uid) this.#forget();
      void this.#open();
    }
    if (state.status !== 'signedOut') return;
    const wasSignedIn = this.#uid !== undefined;
    this.#forget();
    if (!wasSignedIn) return;
    const detail: SignedOutDetail = { reason: state.reason };
    this.announce('foyer-signed-out', detail);
  }

  protected override reconnected(): void {
    if (isUnreachable(this.#work.failure?.error)) void this.#open();
  }

  protected override updated(): void {
    this.confirmation.shown(this.renderRoot.querySelector('dialog'));
  }

  protected override content(): Content {
    const state = this.client?.auth.state;
    if (state?.status === 'signedOut') return html`<p>${this.text('signedOut')}</p>`;
    if (!this.account) {
      if (!this.#work.failure) return html`<p class="muted" role="status">${this.text('loading')}</p>`;
      return html`${outcome(this, this.#work)} ${button(this, 'retry', () => void this.#open())}`;
    }
    const signOut = () =>
      void this.#work.run(() => this.signedInClient.auth.signOut()).then(() => this.#open());
    return html`<div class="row">
        <h2 part="title">${this.text('account')}</h2>
        ${button(this, 'signOut', signOut)}
      </div>
      ${outcome(this, this.#work)}
      <div>${this.#sections.map((section) => section.render())}</div>
      ${this.confirmation.render()}`;
  }

  async #open(): Promise<void> {
    const { client } = this;
    const state = client?.auth.state;
    if (state?.status !== 'signedIn' || this.#work.busy || this.#uid === state.uid) return;
    // The failure of a redirect remains on the screen.
    const { failure } = this.#work;
    await this.#work.run(() => this.read());
    if (!this.#isSignedIn(client, state.uid)) {
      this.#forget();
      return this.#open();
    }
    if (this.#work.failure) return;
    this.#work.failure = failure && !isUnreachable(failure.error) ? failure : undefined;
    this.#uid = state.uid;
    this.#sections = [
      ...[Profile, Email, Password, Devices, Passkeys, SecondStep, Providers, DataExport, Deletion].map(
        (Part) => new Part(this),
      ),
    ];
    for (const section of this.#sections) void section.load();
    this.requestUpdate();
  }

  #isSignedIn(client: Client | undefined, uid: string): boolean {
    const state = this.client?.auth.state;
    return client === this.client && state?.status === 'signedIn' && state.uid === uid;
  }

  #forget(): void {
    this.confirmation.close(false);
    this.#work.clear();
    this.account = undefined;
    this.#uid = undefined;
    this.#sections = [];
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'foyer-account': FoyerAccount;
  }
  interface HTMLElementEventMap {
    'foyer-signed-out': CustomEvent<SignedOutDetail>;
  }
}
