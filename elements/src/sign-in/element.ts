// `<foyer-sign-in>`: every way in that the app has enabled, up to a session.
import {
  type AuthState,
  type Client,
  completeRedirect,
  isFoyerError,
  passkeys,
  type SignInLink,
  type SignInMethods,
  secondFactor,
  secondFactorOf,
  signInByIdToken,
  signInMethods,
  signInWithProvider,
  type TotpEnrollment,
  type User,
} from '@foyer/sdk';
import type { PropertyValues } from 'lit';
import { completeForAccount, leaveForProvider, wrongRedirectUri } from '../redirect.js';
import { isUnreachable, Screen } from '../screen.js';
import type { OwnSentences } from '../sentences.js';
import type { Content } from '../templates.js';
import { Work } from '../work.js';
import { PasskeyAutofill } from './passkey-autofill.js';
import { viewOf } from './views.js';

export type SignInProvider = SignInMethods['providers'][number];

/** A provider's ID token, its nonce and, at the first sign-in, the names of the user. */
export type IdTokenProof = Parameters<typeof signInByIdToken>[2];

/** The detail of the event `foyer-signed-in`. */
export interface SignedInDetail {
  /** The user; `null` after a reload of the page, until the client has fetched it. */
  user: User | null;
  /** True if the sign-in has created the account; undefined where the service does not say so. */
  isNewUser: boolean | undefined;
}

type Begun = { user: User; is_new_user?: boolean };

export type View =
  | { name: 'loading' | 'start' | 'sign-up' | 'forgot' | 'verify' | 'done' }
  | { name: 'code' | 'reset'; email: string }
  | { name: 'link'; link: SignInLink }
  | { name: 'second-step'; ticket: string; factors: readonly string[]; byRecoveryCode: boolean }
  | { name: 'enroll'; ticket: string; enrollment: TotpEnrollment }
  | { name: 'recovery-codes'; codes: readonly string[] };

/** Views in which the user may be signed in already, and has something left to do. */
const unfinished: readonly View['name'][] = ['loading', 'link', 'verify', 'recovery-codes'];

/**
 * The sign-in screen.
 *
 * @fires foyer-signed-in when there is a session and the user has nothing left to do; also on start, with a stored session.
 */
export class FoyerSignIn extends Screen {
  static override properties = {
    ...Screen.properties,
    idToken: { attribute: false },
    view: { state: true },
    methods: { state: true },
    hasPasskeys: { state: true },
  };

  /**
   * Signs in with a provider without leaving the page, as with the sheet of a native platform: returns the provider's ID token,
   * or `null` when the user has declined. For a provider that is left to the redirect it returns `undefined`.
   */
  declare idToken: ((provider: SignInProvider) => Promise<IdTokenProof | null> | undefined) | undefined;
  /** @internal */
  declare view: View;
  /** @internal */
  declare methods: SignInMethods | undefined;
  /** @internal */
  declare hasPasskeys: boolean;
  /** @internal */
  readonly work = new Work(() => this.requestUpdate());
  /** @internal Reads how users sign in. */
  readonly reading = new Work(() => this.requestUpdate());
  /** @internal The email that was entered last, for the other ways in. */
  email = '';
  protected readonly kind = 'card';
  readonly #autofill = new PasskeyAutofill();
  #hasSignedUp = false;
  /** The last session that began here. */
  #session: Begun | undefined;
  /** The user of the last event. */
  #announced: string | undefined;

  constructor() {
    super();
    this.view = { name: 'loading' };
    this.hasPasskeys = false;
    this.addEventListener('focusin', () => this.#startAutofill());
  }

  /** @internal */
  go(view: View): void {
    this.view = view;
    this.work.clear();
  }

  /** @internal Runs a step of the sign-in, after which a second factor may be due. */
  async attempt(
    step: (client: Client) => Promise<unknown>,
    result: { done?: 'sentAgain' | 'passwordSet'; own?: OwnSentences } = {},
  ): Promise<void> {
    const { client } = this;
    if (!client) return;
    await this.work.run(async () => {
      try {
        const session = (await step(client)) as Partial<Begun> | null | undefined;
        if (session?.user) this.#session = session as Begun;
      } catch (error) {
        const request = secondFactorOf(error);
        if (!request?.ticket) throw error;
        await this.#askForSecondFactor(client, request.ticket, request.factors);
      }
    }, result);
    this.#settle();
  }

  /** @internal */
  signUp(email: string, password: string): void {
    const own: OwnSentences = { 'auth/operation-not-allowed': 'noNewAccounts' };
    void this.attempt(
      async ({ auth }) => {
        this.#hasSignedUp = true;
        try {
          return { ...(await auth.signUp({ email, password })), is_new_user: true };
        } catch (error) {
          this.#hasSignedUp = secondFactorOf(error) !== null;
          throw error;
        }
      },
      { own },
    );
  }

  /** @internal */
  verifyCode({ email, code }: SignInLink): Promise<void> {
    const own: OwnSentences = { 'auth/operation-not-allowed': 'noNewAccounts' };
    return this.attempt(
      async ({ auth }) => {
        try {
          return await auth.emailCode.verify({ email, code });
        } catch (error) {
          // The link of a mail is as old as the mail: the way to a new code.
          if (!secondFactorOf(error) && this.view.name !== 'code') this.go({ name: 'code', email });
          throw error;
        }
      },
      { own },
    );
  }

  /** @internal */
  usePasskey(): Promise<void> {
    return this.attempt((client) => passkeys(client).signIn());
  }

  /** @internal The email of the user who is signed in. */
  get userEmail(): string {
    const state = this.client?.auth.state;
    return (state?.status === 'signedIn' && state.user?.email) || this.email;
  }

  /** @internal */
  useProvider(provider: SignInProvider): void {
    const { returnUrl: redirectUri } = this;
    void this.attempt(
      async (client) => {
        const proof = this.idToken?.(provider);
        if (!proof) return leaveForProvider(() => signInWithProvider(client, provider.id, { redirectUri }));
        const given = await proof;
        return given && signInByIdToken(client, provider.id, given);
      },
      { own: wrongRedirectUri },
    );
  }

  /** @internal */
  completeSecondStep(ticket: string, code: string, byRecoveryCode: boolean): void {
    const proof = byRecoveryCode ? { recovery_code: code } : { totp: code };
    this.#withTicket((client) => secondFactor(client).complete({ ticket, ...proof }));
  }

  /** @internal */
  confirmEnrollment(ticket: string, code: string): void {
    this.#withTicket(async (client) => {
      const session = await secondFactor(client).confirmEnrollment({ ticket, code });
      this.go({ name: 'recovery-codes', codes: session.recovery_codes });
      return session;
    });
  }

  /** @internal The user has nothing left to do. */
  finish(): void {
    this.go({ name: 'start' });
    this.#settle();
  }

  /** @internal */
  confirmEmail(code: string): void {
    void this.attempt(async ({ auth }) => {
      await auth.verification.confirm(code);
      this.go({ name: 'start' });
    });
  }

  /** @internal */
  async readMethods(): Promise<void> {
    const { client } = this;
    if (!client) return;
    await this.reading.run(async () => {
      const methods = await signInMethods(client);
      this.hasPasskeys = methods.passkeys && (await passkeys(client).isAvailable());
      this.methods = methods;
      this.#startAutofill();
    });
  }

  protected override attached(client: Client | undefined): void {
    this.#autofill.stop();
    this.#forget();
    this.methods = undefined;
    this.view = { name: 'loading' };
    if (client) void this.#start(client);
  }

  protected override stateChanged(state: AuthState): void {
    if (state.status === 'signedIn') this.#settle();
    if (state.status !== 'signedOut') return;
    this.#forget();
    if (/done|verify|recovery/.test(this.view.name)) this.go({ name: 'start' });
  }

  protected override reconnected(): void {
    if (!this.methods) void this.readMethods();
    if (isUnreachable(this.work.failure?.error)) this.work.clear();
  }

  protected override updated(changed: PropertyValues<this>): void {
    const before = changed.get('view');
    if (!before || before.name === this.view.name) return;
    const first = (selector: string) => this.renderRoot.querySelector<HTMLElement>(selector);
    // The page decides whether the element gets the focus at the start.
    if (before.name !== 'loading') (first('input:not([hidden])') ?? first('h2'))?.focus();
    this.#startAutofill();
  }

  protected override content(): Content {
    return viewOf(this);
  }

  async #start(client: Client): Promise<void> {
    void this.readMethods();
    const state = await client.auth.ready().catch(() => client.auth.state);
    if (client !== this.client) return;
    const link = client.auth.emailCode.parseLink(location.href);
    if (link) {
      removeLink();
      // After a load of the page the state has no user yet.
      const user = state.status === 'signedIn' && (state.user ?? (await client.me.get().catch(() => null)));
      if (client !== this.client) return;
      if (client.auth.state.status !== 'signedIn') await this.verifyCode(link);
      else if (!user || user.email !== link.email) return this.go({ name: 'link', link });
    } else await this.attempt(state.status === 'signedIn' ? completeForAccount : completeRedirect);
    if (this.view.name === 'loading') this.view = { name: 'start' };
    this.#settle();
  }

  /** Goes on with the user who is signed in, here or in another tab. */
  #settle(): void {
    const state = this.client?.auth.state;
    if (state?.status !== 'signedIn' || this.work.busy || unfinished.includes(this.view.name)) return;
    if (this.#announced === state.uid) return;
    if (this.#hasSignedUp && state.user && !state.user.email_verified) {
      this.#hasSignedUp = false;
      this.go({ name: 'verify' });
      void this.attempt(({ auth }) => auth.verification.send());
      return;
    }
    this.#announced = state.uid;
    this.#hasSignedUp = false;
    this.#autofill.stop();
    this.go({ name: 'done' });
    const isNewUser = this.#session?.user.uid === state.uid ? this.#session.is_new_user : undefined;
    const detail: SignedInDetail = { user: state.user, isNewUser };
    this.announce('foyer-signed-in', detail);
    // The screen names the user, if it remains.
    if (!state.user) void this.work.run(async () => this.isConnected && this.client?.me.get());
  }

  #forget(): void {
    this.#announced = undefined;
    this.#session = undefined;
    this.#hasSignedUp = false;
  }

  async #askForSecondFactor(client: Client, ticket: string, factors: readonly string[]): Promise<void> {
    if (!factors.includes('enroll')) {
      return this.go({ name: 'second-step', ticket, factors, byRecoveryCode: !factors.includes('totp') });
    }
    this.go({ name: 'enroll', ticket, enrollment: await secondFactor(client).enroll(ticket) });
  }

  /** A ticket that has expired or is used up leads back to the start. */
  #withTicket(step: (client: Client) => Promise<unknown>): void {
    const own: OwnSentences = { 'auth/invalid-token': 'startAgain' };
    void this.attempt(
      async (client) => {
        try {
          return await step(client);
        } catch (error) {
          if (isFoyerError(error, 'auth/invalid-token')) this.go({ name: 'start' });
          throw error;
        }
      },
      { own },
    );
  }

  #startAutofill(): void {
    const { client } = this;
    if (this.view.name !== 'start' || !client || !this.hasPasskeys) return;
    const signIn = (signal: AbortSignal) => passkeys(client).signIn({ autofill: true, signal });
    this.#autofill.start(signIn, (chosen) => this.attempt(() => chosen));
  }
}

/** Removes from the address bar what the service has appended to the deep link: it works once. */
function removeLink(): void {
  const url = new URL(location.href);
  for (const name of ['mode', 'email', 'code']) url.searchParams.delete(name);
  history.replaceState(history.state, '', url);
}

declare global {
  interface HTMLElementTagNameMap {
    'foyer-sign-in': FoyerSignIn;
  }
  interface HTMLElementEventMap {
    'foyer-signed-in': CustomEvent<SignedInDetail>;
  }
}
