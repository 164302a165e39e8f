// What `<foyer-sign-in>` shows, by its view.
import type { Client } from '@foyer/sdk';
import { html, nothing, type TemplateResult } from 'lit';
import { enrollment, recoveryCodes } from '../authenticator-app.js';
import {
  button,
  type Content,
  codeField,
  emailField,
  field,
  form,
  outcome,
  passwordField,
} from '../templates.js';
import type { TextKey } from '../texts/en.js';
import type { FoyerSignIn, View } from './element.js';

/** The names of the views whose content is below; the others wait for the service. */
type Named<Name extends View['name']> = Extract<View, { name: Name }>;

type Rest<List extends unknown[]> = List extends [unknown, ...infer Others] ? Others : never;

export function viewOf(element: FoyerSignIn): Content {
  const { view } = element;
  switch (view.name) {
    case 'loading':
      return waiting(element);
    case 'start':
    case 'sign-up':
      return element.methods ? start(element, view.name === 'sign-up') : waiting(element);
    case 'code':
      return emailedCode(element, view.email);
    case 'forgot':
      return forgot(element);
    case 'reset':
      return reset(element, view.email);
    case 'verify':
      return verify(element);
    case 'link':
      return link(element, view);
    case 'second-step':
      return secondStep(element, view);
    case 'enroll':
      return enroll(element, view);
    case 'recovery-codes':
      return page(
        element,
        'recoveryCodes',
        recoveryCodes(element, view.codes, { work: element.work, onKept: () => element.finish() }),
      );
    case 'done':
      return done(element);
  }
}

function page(element: FoyerSignIn, title: TextKey, body: unknown): TemplateResult {
  return html`<h2 part="title" tabindex="-1">${element.text(title)}</h2>
    ${outcome(element, element.work)} ${body}`;
}

function step(element: FoyerSignIn, ...given: Rest<Parameters<typeof form>>): TemplateResult {
  return form({ screen: element, work: element.work }, ...given);
}

/** The button that asks the service for another code. */
function again(element: FoyerSignIn, send: (client: Client) => Promise<unknown>): TemplateResult {
  return button(element, 'sendAgain', () => void element.attempt(send, { done: 'sentAgain' }), {
    kind: 'plain',
  });
}

/** The button that leads back to the start. */
function leave(element: FoyerSignIn, key: TextKey = 'cancel', kind?: 'plain'): TemplateResult {
  return button(element, key, () => element.go({ name: 'start' }), kind && { kind });
}

function waiting(element: FoyerSignIn): Content {
  const { reading } = element;
  if (!reading.failure) return html`<p class="muted" role="status">${element.text('loading')}</p>`;
  return html`${outcome(element, reading)} ${button(element, 'retry', () => void element.readMethods())}`;
}

function start(element: FoyerSignIn, isNew: boolean): TemplateResult {
  const { methods, work, email } = element;
  const { password, sign_up } = methods!;
  const back = () => element.go({ name: isNew ? 'start' : 'sign-up' });
  const submit = (value: (name: string) => string) => {
    element.email = value('email');
    if (isNew) return element.signUp(element.email, value('password'));
    const credential = { email: element.email, password: value('password') };
    return void element.attempt(({ auth }) => auth.signIn(credential), {
      own: { 'auth/invalid-credential': 'wrongCredential' },
    });
  };
  const credentials = html`
    ${emailField(element, email, element.hasPasskeys && !isNew ? 'username webauthn' : 'username')}
    ${passwordField(element, isNew ? { isNew, minimum: password.min_characters } : {})}
    ${
      isNew
        ? nothing
        : html`<div>${button(element, 'forgot', () => element.go({ name: 'forgot' }), { kind: 'plain' })}</div>`
    }
  `;
  const title: TextKey = isNew ? 'signUp' : 'signIn';
  return page(
    element,
    title,
    html`
      ${step(element, submit, { content: credentials, button: title })}
      <p part="divider" class="or muted">${element.text('or')}</p>
      <div class="stack" aria-busy=${work.busy}>
        ${button(element, 'emailCode', () => sendCode(element))}
        ${
          element.hasPasskeys && !isNew
            ? button(element, 'usePasskey', () => void element.usePasskey())
            : nothing
        }
        ${providerButtons(element)}
      </div>
      ${
        sign_up === 'closed'
          ? nothing
          : html`<p class="muted">
              ${element.text(isNew ? 'haveAccount' : 'noAccount')}
              ${button(element, isNew ? 'signIn' : 'signUp', back, { kind: 'plain' })}
            </p>`
      }
    `,
  );
}

function providerButtons(element: FoyerSignIn): Content {
  const { providers } = element.methods!;
  const usable = providers.filter(({ redirect }) => redirect || element.idToken);
  return html`${usable.map((provider) =>
    button(element, 'useProvider', () => element.useProvider(provider), {
      label: element.text('useProvider', { provider: provider.name }),
    }),
  )}`;
}

/** Sends a code to the email in the form, whose password is not needed. */
function sendCode(element: FoyerSignIn): void {
  const input = element.renderRoot.querySelector<HTMLInputElement>('input[name=email]')!;
  if (!input.reportValidity()) return;
  element.email = input.value;
  const email = input.value;
  void element.attempt(async ({ auth }) => {
    await auth.emailCode.send(email);
    element.go({ name: 'code', email });
  });
}

function emailedCode(element: FoyerSignIn, email: string): TemplateResult {
  const { email_code } = element.methods ?? { email_code: { digits: 6, magic_link: false } };
  const sendAgain = again(element, ({ auth }) => auth.emailCode.send(email));
  return page(
    element,
    'codeTitle',
    html`
      <p>
        ${element.text('codeSent', { email })} ${email_code.magic_link ? element.text('orLink') : nothing}
      </p>
      ${step(element, (value) => void element.verifyCode({ email, code: value('code') }), {
        content: codeField(element, email_code.digits),
        button: 'signIn',
      })}
      <div class="row">
        ${sendAgain}
        ${leave(element, 'back', 'plain')}
      </div>
    `,
  );
}

function forgot(element: FoyerSignIn): TemplateResult {
  const submit = (value: (name: string) => string) => {
    const email = value('email');
    element.email = email;
    void element.attempt(async ({ auth }) => {
      await auth.password.forgot(email);
      element.go({ name: 'reset', email });
    });
  };
  return page(
    element,
    'resetTitle',
    html`<p>${element.text('resetText')}</p>
      ${step(element, submit, {
        content: emailField(element, element.email),
        button: 'sendCode',
        second: leave(element, 'back'),
      })}`,
  );
}

function reset(element: FoyerSignIn, email: string): TemplateResult {
  const minimum = element.methods?.password.min_characters ?? 0;
  const submit = (value: (name: string) => string) =>
    void element.attempt(
      async ({ auth }) => {
        await auth.password.reset({ email, code: value('code'), password: value('password') });
        element.go({ name: 'start' });
      },
      { done: 'passwordSet' },
    );
  const sendAgain = again(element, ({ auth }) => auth.password.forgot(email));
  return page(
    element,
    'resetTitle',
    html`<p>${element.text('resetSent', { email })}</p>
      ${step(element, submit, {
        content: html`
          <input hidden type="email" name="email" autocomplete="username" .value=${email} />
          ${codeField(element, Number.POSITIVE_INFINITY)}
          ${passwordField(element, { label: 'newPassword', isNew: true, minimum })}
        `,
        button: 'save',
        second: leave(element, 'back'),
      })}
      <div>${sendAgain}</div>`,
  );
}

function verify(element: FoyerSignIn): TemplateResult {
  const email = element.userEmail;
  const sendAgain = again(element, ({ auth }) => auth.verification.send());
  return page(
    element,
    'verifyTitle',
    html`<p>${element.text('codeSent', { email })}</p>
      ${step(element, (value) => element.confirmEmail(value('code')), {
        content: codeField(element),
        button: 'confirm',
        second: button(element, 'later', () => element.finish()),
      })}
      <div>${sendAgain}</div>`,
  );
}

function link(element: FoyerSignIn, { link: { email, code } }: Named<'link'>): TemplateResult {
  const use = () => {
    element.go({ name: 'code', email });
    void element.verifyCode({ email, code });
  };
  const { userEmail } = element;
  return html`<h2 part="title" tabindex="-1">${element.text('linkTitle', { email })}</h2>
    ${userEmail ? html`<p>${element.text('signedInAs', { email: userEmail })}</p>` : nothing}
    <div class="row start">
      ${button(element, 'signIn', use, { kind: 'primary' })} ${button(element, 'cancel', () => element.finish())}
    </div>`;
}

function secondStep(element: FoyerSignIn, view: Named<'second-step'>): TemplateResult {
  const { ticket, factors, byRecoveryCode } = view;
  const submit = (value: (name: string) => string) =>
    element.completeSecondStep(ticket, value(byRecoveryCode ? 'recovery' : 'code'), byRecoveryCode);
  const other = () => element.go({ ...view, byRecoveryCode: !byRecoveryCode });
  return page(
    element,
    'secondStep',
    html`<p>${element.text(byRecoveryCode ? 'recoveryText' : 'totpText')}</p>
      ${step(element, submit, {
        content: byRecoveryCode
          ? html`<div>${field(element, 'recovery', 'recoveryCode', { maxLength: 40 })}</div>`
          : codeField(element),
        button: 'continue',
        second: leave(element),
      })}
      <div class="row">
        ${
          factors.includes('totp') && factors.includes('recovery_code')
            ? button(element, byRecoveryCode ? 'useTotp' : 'useRecovery', other, { kind: 'plain' })
            : nothing
        }
        ${
          factors.includes('passkey') && element.hasPasskeys
            ? button(element, 'usePasskey', () => void element.usePasskey(), { kind: 'plain' })
            : nothing
        }
      </div>`,
  );
}

function enroll(element: FoyerSignIn, { ticket, enrollment: begun }: Named<'enroll'>): TemplateResult {
  return page(
    element,
    'setUp',
    html`<p>${element.text('setUpRequired')}</p>
      ${enrollment(element, begun)}
      ${step(element, (value) => element.confirmEnrollment(ticket, value('code')), {
        content: codeField(element),
        button: 'continue',
        second: leave(element),
      })}`,
  );
}

function done(element: FoyerSignIn): TemplateResult {
  const signOut = () => void element.work.run(async () => element.client?.auth.signOut());
  const email = element.userEmail;
  return html`<h2 part="title" tabindex="-1">${element.text(email ? 'signedInAs' : 'loading', { email })}</h2>
    ${outcome(element, element.work)}
    <div>${button(element, 'signOut', signOut)}</div>`;
}
