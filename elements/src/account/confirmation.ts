// The dialog that asks the user to sign in once more, where the service demands a recent sign-in.
import { isFoyerError, passkeys, reauthenticateWithProvider, type SecondStep } from '@foyer/sdk';
import { html, nothing, type TemplateResult } from 'lit';
import type { OwnSentences } from '../sentences.js';
import {
  button,
  type Content,
  codeField,
  digitsOf,
  field,
  form,
  outcome,
  passwordField,
} from '../templates.js';
import { Work } from '../work.js';
import type { FoyerAccount } from './element.js';

type Way = 'password' | 'code';
const own: OwnSentences = { 'auth/invalid-credential': 'wrongPassword' };

export class Confirmation {
  readonly #element: FoyerAccount;
  readonly #work: Work;
  #way: Way = 'password';
  /** The service has asked for the second factor too. */
  #needsSecondStep = false;
  #answer: ((isConfirmed: boolean) => void) | undefined;

  constructor(element: FoyerAccount) {
    this.#element = element;
    this.#work = new Work(() => element.requestUpdate());
  }

  /** Resolves to true once the user has signed in again, to false if the dialog is closed. */
  ask(): Promise<boolean> {
    this.close(false);
    this.#way = 'password';
    this.#needsSecondStep = Boolean(this.#element.account?.factors.totp);
    this.#work.clear();
    return new Promise((resolve) => {
      this.#answer = resolve;
      this.#element.requestUpdate();
    });
  }

  close(isConfirmed: boolean): void {
    const answer = this.#answer;
    this.#answer = undefined;
    answer?.(isConfirmed);
    this.#element.requestUpdate();
  }

  /** Opens and closes the dialog, after it was rendered. */
  shown(dialog: HTMLDialogElement | null): void {
    if (!dialog) return;
    if (this.#answer && !dialog.open) dialog.showModal();
    if (!this.#answer && dialog.open) dialog.close();
  }

  render(): TemplateResult {
    const element = this.#element;
    return html`<dialog part="dialog" aria-labelledby="dialog-title" @close=${() => this.close(false)}>
      ${
        this.#answer
          ? html`<h2 id="dialog-title">${element.text('reauthTitle')}</h2>
              <p>${element.text('reauthText')}</p>
              ${outcome(element, this.#work)} ${this.#form()}
              <div class="stack" aria-busy=${this.#work.busy}>${this.#otherWays()}</div>`
          : nothing
      }
    </dialog>`;
  }

  #form(): TemplateResult {
    const element = this.#element;
    const isCode = this.#way === 'code';
    const digits = this.#needsSecondStep ? Number.POSITIVE_INFINITY : 6;
    return form(
      { screen: element, work: this.#work },
      (value) => {
        const proof = isCode ? { code: value('code') } : { password: value('password') };
        this.#confirm(async () => ({ ...proof, ...secondStepOf(value('second')) }));
      },
      {
        content: html`<input hidden type="email" autocomplete="username" .value=${element.account!.user.email} />
        ${isCode ? codeField(element, digits) : passwordField(element)}
        ${this.#needsSecondStep ? field(element, 'second', 'secondCode', { maxLength: 40 }) : nothing}`,
        button: 'confirm',
        second: button(element, 'cancel', () => this.close(false)),
      },
    );
  }

  #otherWays(): Content {
    const element = this.#element;
    const { methods, identities } = element.account!;
    const linked = methods.providers.filter(
      ({ id, redirect }) => redirect && identities.some(({ provider }) => provider === id),
    );
    return html`${button(element, this.#way === 'code' ? 'sendAgain' : 'emailCode', () => this.#sendCode())}
    ${methods.passkeys ? button(element, 'usePasskey', () => this.#usePasskey()) : nothing}
    ${linked.map(({ id, name: provider }) =>
      button(element, 'useProvider', () => this.#leaveFor(id), {
        label: element.text('useProvider', { provider }),
      }),
    )}`;
  }

  #sendCode(): void {
    const { account, signedInClient } = this.#element;
    const done = this.#way === 'code' ? ('sentAgain' as const) : undefined;
    void this.#work.run(
      async () => {
        await signedInClient.auth.emailCode.send(account!.user.email);
        this.#way = 'code';
      },
      { done },
    );
  }

  #usePasskey(): void {
    const keys = passkeys(this.#element.signedInClient);
    this.#confirm(async () => ({ passkey: await keys.proof() }));
  }

  /** The page is left; back on it, the user repeats the change. */
  #leaveFor(provider: string): void {
    const { signedInClient, returnUrl } = this.#element;
    void this.#work.run(() =>
      reauthenticateWithProvider(signedInClient, provider, { redirectUri: returnUrl }),
    );
  }

  #confirm(
    proof: () => Promise<Parameters<FoyerAccount['signedInClient']['auth']['reauthenticate']>[0]>,
  ): void {
    void this.#work.run(
      async () => {
        try {
          await this.#element.signedInClient.auth.reauthenticate(await proof());
        } catch (error) {
          if (isFoyerError(error, 'auth/second-factor-required')) this.#needsSecondStep = true;
          throw error;
        }
        this.close(true);
      },
      { own },
    );
  }
}

/** Six digits are a code of the authenticator app, and anything else is a recovery code. */
function secondStepOf(text: string): SecondStep {
  if (!text.trim()) return {};
  const isCode = digitsOf(text).length === 6 && !/\p{L}/u.test(text);
  return isCode ? { totp: text } : { recovery_code: text };
}
